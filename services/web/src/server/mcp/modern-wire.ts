import { type Envelope, readEnvelope } from './envelope.ts'
import type { Exchange } from './exchange.ts'
import { filterOf, type Listening, wantedBy } from './listening.ts'
import { METHOD_NOT_FOUND, type Message, MODERN, objectOf, RpcError, rpcErrorOf } from './message.ts'
import { answer, listed } from './methods.ts'
import type { Relay } from './relay.ts'
import { Reply } from './reply.ts'
import type { Visit } from './visit.ts'

/** Methods that earlier versions had and this one has not. */
const REMOVED = new Set([
  'initialize',
  'ping',
  'logging/setLevel',
  'resources/subscribe',
  'resources/unsubscribe',
])

/** The 2026-07-28 era: no sessions, every request says who asks and what they can do. */
export class ModernWire {
  readonly #relay: Relay
  readonly #listening: Listening

  constructor(relay: Relay, listening: Listening) {
    this.#relay = relay
    this.#listening = listening
  }

  async post(visit: Visit, message: Message): Promise<void> {
    const { request, response, actor, view } = visit
    const { id, method = '', params } = message
    // There is nothing to tell: closing the stream is how a request is cancelled.
    if (id === undefined) return void response.writeHead(202).end()
    const reply = new Reply(response, id, true)
    if (REMOVED.has(method)) return reply.error(new RpcError(METHOD_NOT_FOUND, `Method not found: ${method}`))
    let envelope: Envelope
    try {
      envelope = readEnvelope(message, request.headers)
    } catch (error) {
      // What a request says of itself is wrong: that is a bad request, whatever the code of it.
      return reply.error(rpcErrorOf(error), 400)
    }
    const { capabilities, logLevel } = envelope
    try {
      if (method === 'server/discover') return reply.result(await this.#discover(visit))
      if (method === 'subscriptions/listen') return this.#listen(visit, id, message)
      const stop = new AbortController()
      response.once('close', () => {
        if (!response.writableFinished) stop.abort()
      })
      const exchange: Exchange = {
        actor,
        id,
        params,
        modern: true,
        side: { capabilities: { ...capabilities }, asks: 'return' },
        logLevel,
        reply,
        signal: stop.signal,
        key: visit.credential(),
      }
      await answer(method, exchange, view, this.#relay)
    } catch (error) {
      reply.error(rpcErrorOf(error))
    }
  }

  async #discover({ view, actor }: Visit) {
    const { capabilities, instructions } = await view.describe(actor)
    const result = {
      supportedVersions: [MODERN],
      capabilities,
      ...(instructions === undefined ? {} : { instructions }),
    }
    return listed(result, true)
  }

  #listen(
    { response, actor, view, credential, stillMay }: Visit,
    id: string | number,
    { params }: Message,
  ): void {
    const filter = filterOf(objectOf(params.notifications))
    const meta = { 'io.modelcontextprotocol/subscriptionId': id }
    this.#listening.open(
      response,
      { actor, view, key: credential(), wants: wantedBy(filter), meta, stillMay },
      {
        jsonrpc: '2.0',
        method: 'notifications/subscriptions/acknowledged',
        params: { notifications: filter, _meta: meta },
      },
    )
  }
}
