import type { Answerer } from '@althing/mcp-client/ask'
import type { CallRequest, Connection } from '@althing/mcp-client/connection'
import type { RawAnswer } from '@althing/mcp-client/tap'
import { AppError } from '@althing/protocol/errors'
import type { CallerSide, CallFrame, CallRetry } from '@althing/protocol/model/relay'
import type { Elicitations } from '../elicitation/elicitations.ts'
import type { InlineAsks } from './inline-asks.ts'
import { ParkedCalls } from './parked-calls.ts'

/** Which capability of a client stands for which question. */
const NEEDS = {
  'elicitation/create': 'elicitation',
  'sampling/createMessage': 'sampling',
  'roots/list': 'roots',
} as const

export interface CallerDeps {
  readonly elicitations: Elicitations
  readonly inline: InlineAsks
  readonly parked: ParkedCalls
}

/** Who made a call, and how they hear of it. */
export interface Caller {
  readonly user: string
  readonly serverId: string
  readonly callId: string
  readonly sessionId: string | undefined
  readonly side: CallerSide | undefined
  readonly retry: CallRetry | undefined
  readonly send: (frame: CallFrame) => void
}

export type Request = Omit<
  CallRequest,
  'answer' | 'inputRequired' | 'capabilities' | 'caller' | 'onNotification'
>

/**
 * Makes a request on a caller's behalf, so that what the server asks reaches whoever can answer: the client that
 * called, when it speaks MCP and offers it, else the person's inbox.
 */
export function requestFor(
  deps: CallerDeps,
  connection: Connection,
  caller: Caller,
  request: Request,
): Promise<RawAnswer> {
  const { user, side, retry, send } = caller
  const answer = answererFor(deps, caller)
  const call: CallRequest = { ...request, caller: user, answer }
  if (side === undefined) return connection.request(call)
  const relayed = {
    ...call,
    capabilities: side.capabilities,
    onNotification: (method: string, params: unknown) => send({ notification: { method, params } }),
  }
  if (side.asks === 'inline') return connection.request({ ...relayed, capabilities: offered(side) })
  if (ParkedCalls.isParked(retry)) return deps.parked.resume(user, retry ?? {}, request.signal)
  if (connection.era === 'modern') {
    return connection.request({
      ...relayed,
      params: { ...request.params, ...retry },
      inputRequired: 'return',
    })
  }
  return deps.parked.begin(
    user,
    (parkedAnswer, signal) =>
      connection.request({
        ...relayed,
        signal,
        answer: (ask, unwanted) =>
          NEEDS[ask.method] in side.capabilities ? parkedAnswer(ask, unwanted) : answer(ask, unwanted),
      }),
    request.signal,
  )
}

/** Whether a client of the 2026-07-28 era gets the result of a server of the older one. */
export function mustSayComplete(connection: Connection, side: CallerSide | undefined): boolean {
  return side?.asks === 'return' && connection.era === 'legacy'
}

/** What such a client cannot be asked itself, a person's inbox can: elicitations. */
function offered(side: CallerSide): Record<string, unknown> {
  return { elicitation: { form: {}, url: {} }, ...side.capabilities }
}

function answererFor({ elicitations, inline }: CallerDeps, caller: Caller): Answerer {
  const { user, serverId, callId, sessionId, side, send } = caller
  return (ask, signal) => {
    if (side?.asks === 'inline' && canAnswer(side, ask)) return inline.ask(user, ask, send, signal)
    if (ask.method === 'elicitation/create')
      return elicitations.ask({ user, serverId, callId, sessionId }, ask.params, signal)
    throw new AppError(
      'upstream_error',
      `The server asks for ${ask.method}, which its caller does not offer.`,
    )
  }
}

/** A client may know forms and no addresses; then the inbox shows the address. */
function canAnswer(side: CallerSide, ask: Parameters<Answerer>[0]): boolean {
  const capability = side.capabilities[NEEDS[ask.method]]
  if (capability === undefined) return false
  return ask.params.mode !== 'url' || (capability as { url?: unknown }).url !== undefined
}
