import { isAsk } from './ask.ts'
import type { ConnectOptions } from './connection.ts'
import type { ListCache } from './list-cache.ts'
import { readLogMessage } from './notes.ts'
import type { OpenCalls } from './open-calls.ts'
import type { Refresh } from './refresh.ts'
import type { RawAnswer, Reply } from './tap.ts'

const METHOD_NOT_FOUND = -32601

/** Notifications about what a server offers beside its tools. */
const OFFER_CHANGES = new Set([
  'notifications/prompts/list_changed',
  'notifications/resources/list_changed',
  'notifications/resources/updated',
  'notifications/elicitation/complete',
])
/** The protocol's own notifications that need no more than to be heard. */
const HEARD = new Set([
  'notifications/subscriptions/acknowledged',
  'notifications/tasks/status',
  'notifications/progress',
])

type Handlers = Pick<ConnectOptions, 'onLog' | 'onNotification' | 'onOfferChanged' | 'relays'>

/** What a server says on its own: notifications to where they belong, requests to whom they are for. */
export class Inbound {
  readonly #handlers: Handlers
  readonly #calls: OpenCalls
  readonly #refresh: Refresh
  readonly #cache: ListCache<RawAnswer>

  constructor(handlers: Handlers, calls: OpenCalls, refresh: Refresh, cache: ListCache<RawAnswer>) {
    this.#handlers = handlers
    this.#calls = calls
    this.#refresh = refresh
    this.#cache = cache
  }

  /** Synchronous up to the handlers, so that order holds. */
  notification(method: string, params: unknown): void {
    const { onLog, onNotification, onOfferChanged } = this.#handlers
    if (method === 'notifications/message') {
      onLog(readLogMessage(params))
      this.#calls.sole()?.onNotification?.(method, params)
    } else if (method === 'notifications/tools/list_changed') this.#refresh.ask()
    else if (OFFER_CHANGES.has(method)) {
      this.#cache.heard(method)
      onOfferChanged?.(method, params)
    } else if (!HEARD.has(method)) onNotification(method, params)
  }

  async request(method: string, params: unknown, signal: AbortSignal): Promise<Reply> {
    if (method === 'ping') return { result: {} }
    if (!isAsk(method) || (method !== 'elicitation/create' && !this.#handlers.relays)) {
      return { error: { code: METHOD_NOT_FOUND, message: `Method not found: ${method.slice(0, 100)}` } }
    }
    const given = typeof params === 'object' && params !== null ? params : {}
    try {
      return { result: await this.#calls.ask({ method, params: given as Record<string, unknown> }, signal) }
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      if (method !== 'elicitation/create')
        return { error: { code: METHOD_NOT_FOUND, message: `The caller does not offer ${method}` } }
      if (!signal.aborted)
        this.#handlers.onLog({ tag: 'lifecycle', text: `a question was cancelled: ${why}` })
      return { result: { action: 'cancel' } }
    }
  }
}
