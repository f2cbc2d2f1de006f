/** What a server may ask of a caller while it works on the caller's request. */
export const ASKS = ['elicitation/create', 'sampling/createMessage', 'roots/list'] as const
export type AskMethod = (typeof ASKS)[number]

/** A question of a server to its caller, as it came on the wire. */
export interface Ask {
  readonly method: AskMethod
  readonly params: Readonly<Record<string, unknown>>
}

/**
 * Answers a question with its MCP result. Rejecting means that nobody could be asked: an elicitation is then
 * cancelled, anything else refused. The signal ends when the server does not want the answer any more.
 */
export type Answerer = (ask: Ask, signal: AbortSignal) => Promise<unknown>

/** What this host declares to servers: what it services, and nothing else. */
export const ELICITATION = { form: {}, url: {} } as const

export function isAsk(method: string): method is AskMethod {
  return (ASKS as readonly string[]).includes(method)
}

export function readAsk(raw: unknown): Ask | undefined {
  const { method, params } = (raw ?? {}) as { method?: unknown; params?: unknown }
  if (typeof method !== 'string' || !isAsk(method)) return undefined
  const given = typeof params === 'object' && params !== null ? params : {}
  return { method, params: given as Record<string, unknown> }
}
