import type { Exchange } from './exchange.ts'
import type { Listening } from './listening.ts'
import {
  errorBody,
  INVALID_REQUEST,
  type Json,
  LEGACY,
  type Message,
  objectOf,
  RpcError,
  rpcErrorOf,
  SERVER_INFO,
  stringOf,
} from './message.ts'
import { answer, subscribe } from './methods.ts'
import type { Relay } from './relay.ts'
import { Reply } from './reply.ts'
import type { Session, Sessions } from './session.ts'
import type { Visit } from './visit.ts'

const MOST_SUBSCRIPTIONS = 1_000

/** What this replica knows of a session beside what its id says. */
interface Memory {
  logLevel: string
  readonly subscriptions: Set<string>
  readonly running: Map<string, AbortController>
}

/** Streamable HTTP of the versions up to 2025-11-25: sessions, a listening stream, requests to the client. */
export class LegacyWire {
  readonly #sessions: Sessions
  readonly #relay: Relay
  readonly #listening: Listening
  readonly #memories = new Map<string, Memory>()

  constructor(sessions: Sessions, relay: Relay, listening: Listening) {
    this.#sessions = sessions
    this.#relay = relay
    this.#listening = listening
  }

  async post(visit: Visit, message: Message): Promise<void> {
    const { response } = visit
    const { id, method = '', params } = message
    if (method === 'initialize' && id !== undefined) return this.#initialize(visit, id, params)
    const session = this.#mustHaveSession(visit)
    if (session === null) return
    const key = session?.id ?? visit.credential()
    if (id === undefined) {
      if (method === 'notifications/cancelled')
        this.#memory(key).running.get(JSON.stringify(params.requestId))?.abort()
      response.writeHead(202).end()
      return
    }
    const memory = this.#memory(key)
    const stop = new AbortController()
    response.once('close', () => {
      if (!response.writableFinished) stop.abort()
    })
    const running = JSON.stringify(id)
    memory.running.set(running, stop)
    const reply = new Reply(response, id, false)
    const exchange: Exchange = {
      actor: visit.actor,
      id,
      params,
      modern: false,
      side: { capabilities: { ...session?.capabilities }, asks: 'inline' },
      logLevel: memory.logLevel,
      reply,
      signal: stop.signal,
      key,
    }
    try {
      await this.#answer(method, exchange, visit, memory)
    } catch (error) {
      reply.error(rpcErrorOf(error))
    } finally {
      memory.running.delete(running)
    }
  }

  /** The stream for what happens outside of requests. */
  listen(visit: Visit): void {
    const { response, actor, view, stillMay } = visit
    const session = this.#mustHaveSession(visit)
    if (session === null) return
    const key = session?.id ?? visit.credential()
    const { subscriptions } = this.#memory(key)
    this.#listening.open(response, {
      actor,
      view,
      key,
      wants: (_method, uri) => uri === undefined || subscriptions.has(uri),
      meta: undefined,
      stillMay,
    })
  }

  end(visit: Visit): void {
    const session = this.#mustHaveSession(visit)
    if (session === null) return
    if (session !== undefined) {
      this.#sessions.end(session.id)
      this.#memories.delete(session.id)
    }
    visit.response.writeHead(204).end()
  }

  async #initialize({ response, actor, view }: Visit, id: string | number, params: Json): Promise<void> {
    const wanted = stringOf(params, 'protocolVersion')
    const version = (LEGACY as readonly string[]).includes(wanted) ? wanted : LEGACY[0]
    const { capabilities, instructions } = await view.describe(actor)
    const session = this.#sessions.begin(actor.user, version, objectOf(params.capabilities))
    response.setHeader('mcp-session-id', session.id)
    new Reply(response, id, false).result({
      protocolVersion: version,
      capabilities,
      serverInfo: SERVER_INFO,
      ...(instructions === undefined ? {} : { instructions }),
    })
  }

  async #answer(method: string, exchange: Exchange, { view }: Visit, memory: Memory): Promise<void> {
    const { params, reply } = exchange
    if (method === 'ping') return reply.result({})
    if (method === 'logging/setLevel') {
      memory.logLevel = stringOf(params, 'level')
      return reply.result({})
    }
    if (method === 'resources/subscribe' || method === 'resources/unsubscribe') {
      await subscribe(method, exchange, view, this.#relay)
      const uri = stringOf(params, 'uri')
      if (method === 'resources/unsubscribe') memory.subscriptions.delete(uri)
      else if (memory.subscriptions.size < MOST_SUBSCRIPTIONS) memory.subscriptions.add(uri)
      return
    }
    return answer(method, exchange, view, this.#relay)
  }

  /** Undefined: a client without one. Null: its session is over, and it has been told so. */
  #mustHaveSession({ request, response, actor }: Visit): Session | undefined | null {
    const id = request.headers['mcp-session-id']
    if (id === undefined) return undefined
    const session = this.#sessions.find(String(id), actor.user)
    if (session !== undefined) return session
    const error = new RpcError(INVALID_REQUEST, 'This session is not known: initialize again')
    response
      .writeHead(404, { 'content-type': 'application/json' })
      .end(JSON.stringify(errorBody(undefined, error)))
    return null
  }

  #memory(key: string): Memory {
    const known = this.#memories.get(key)
    if (known) return known
    const fresh: Memory = { logLevel: 'debug', subscriptions: new Set(), running: new Map() }
    this.#memories.set(key, fresh)
    if (this.#memories.size > 10_000) {
      const [oldest] = this.#memories.keys()
      if (oldest !== undefined) this.#memories.delete(oldest)
    }
    return fresh
  }
}
