import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { answerAsk } from '@althing/protocol/bus/gateway-relay'
import { AppError } from '@althing/protocol/errors'
import type { Bus } from '@althing/runtime/bus/bus'
import type { Log } from '@althing/runtime/log'
import type { Identities } from '../auth/identities.ts'
import type { Connections } from '../connections.ts'
import { AllServers } from './all-servers.ts'
import { mustComeFromHere, type Places } from './door.ts'
import { isModern } from './envelope.ts'
import { readAskId } from './exchange.ts'
import { Lazy } from './lazy.ts'
import { LegacyWire } from './legacy-wire.ts'
import { Listening } from './listening.ts'
import {
  errorBody,
  type Message,
  PARSE_ERROR,
  RpcError,
  readMessage,
  rpcErrorOf,
  statusOf,
} from './message.ts'
import { ModernWire } from './modern-wire.ts'
import { Offers } from './offers.ts'
import { OneServer } from './one-server.ts'
import { Relay } from './relay.ts'
import { Sessions } from './session.ts'
import type { Visit } from './visit.ts'

const PATH = /^\/mcp(?:\/([a-z0-9-]{1,32}))?\/?$/

export interface EndpointOptions {
  readonly bus: Bus
  readonly log: Log
  readonly identities: Identities
  readonly connections: Connections
  readonly secret: string
  readonly places: Places
  readonly bodyLimit: number
}

/**
 * The public MCP endpoint, both eras: `/mcp` is all servers of a person, `/mcp/{server}` one of them. It stands beside
 * the HTTP API and not behind its framework, because a tool call is short and every layer is paid for by each.
 */
export class McpEndpoint implements AsyncDisposable {
  readonly #options: EndpointOptions
  readonly #offers: Offers
  readonly #relay: Relay
  readonly #listening: Listening
  readonly #all: AllServers
  readonly #lazy: Lazy
  readonly #single = new Map<string, OneServer>()
  readonly #legacy: LegacyWire
  readonly #modern: ModernWire

  constructor(options: EndpointOptions) {
    this.#options = options
    this.#offers = new Offers(options.bus)
    this.#relay = new Relay(options.bus, options.connections)
    this.#listening = new Listening(this.#offers)
    this.#all = new AllServers(this.#offers, this.#relay)
    this.#lazy = new Lazy(this.#all, this.#offers, (key) => this.#listening.toolsChanged(key))
    this.#legacy = new LegacyWire(new Sessions(options.secret), this.#relay, this.#listening)
    this.#modern = new ModernWire(this.#relay, this.#listening)
  }

  static owns(url: string | undefined): boolean {
    return url !== undefined && (url === '/mcp' || url.startsWith('/mcp/') || url.startsWith('/mcp?'))
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const visit = await this.#enter(request, response)
      if (request.method === 'POST') await this.#post(visit)
      else if (request.method === 'GET') this.#legacy.listen(visit)
      else if (request.method === 'DELETE') this.#legacy.end(visit)
      else
        refuse(response, 405, new RpcError(-32000, 'Use POST, GET or DELETE'), { allow: 'GET, POST, DELETE' })
    } catch (error) {
      this.#fail(response, undefined, error)
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#listening[Symbol.asyncDispose]()
  }

  async #enter(request: IncomingMessage, response: ServerResponse): Promise<Visit> {
    const { identities, places } = this.#options
    const { headers, url = '' } = request
    mustComeFromHere(headers, places)
    const [path = '', query = ''] = url.split('?', 2)
    const [matched, name] = PATH.exec(path) ?? []
    if (matched === undefined) throw new AppError('not_found', 'There is nothing here')
    const identity = await identities.of(headers)
    // A cookie comes along by itself; an MCP client sends its key on purpose.
    if (identity?.by !== 'key')
      throw new AppError('not_authenticated', 'Send an API key: Authorization: Bearer <key>')
    const { id: user, role } = identity.user
    const lazy = name === undefined && new URLSearchParams(query).get('lazy') === '1'
    return {
      request,
      response,
      actor: { user, role },
      credential: () =>
        createHash('sha256')
          .update(headers.authorization ?? '')
          .digest('base64url'),
      view: name === undefined ? (lazy ? this.#lazy : this.#all) : this.#oneServer(name),
      stillMay: async () => (await identities.of(headers)) !== undefined,
    }
  }

  async #post(visit: Visit): Promise<void> {
    const { request, response } = visit
    let message: Message | undefined
    try {
      message = readMessage(await readBody(request, this.#options.bodyLimit))
      if (message.method === undefined) return await this.#answered(visit, message)
      if (isModern(message, request.headers)) await this.#modern.post(visit, message)
      else await this.#legacy.post(visit, message)
    } catch (error) {
      this.#fail(response, message, error)
    }
  }

  /** A client's answer to what a server asked: to the instance that waits for it, whichever replica hears it. */
  async #answered({ response, actor }: Visit, { id, result, error }: Message): Promise<void> {
    const place = readAskId(id)
    if (place !== undefined) {
      const { instance, ask } = place
      const input = { actor, ask, ...(error === undefined ? { result } : { refused: true }) }
      await this.#options.bus.call(answerAsk, input, { at: { instance } }).catch(() => {})
    }
    response.writeHead(202).end()
  }

  #oneServer(name: string): OneServer {
    const known = this.#single.get(name)
    if (known) return known
    const view = new OneServer(name, this.#offers, this.#relay)
    this.#single.set(name, view)
    return view
  }

  #fail(response: ServerResponse, message: Message | undefined, thrown: unknown): void {
    if (response.headersSent || response.destroyed) return void response.end()
    const error = rpcErrorOf(thrown)
    const code = thrown instanceof AppError ? thrown.code : undefined
    if (!(thrown instanceof RpcError) && code === undefined)
      this.#options.log.error({ err: thrown }, 'an MCP request failed')
    const status =
      code === 'not_authenticated'
        ? 401
        : code === 'untrusted_origin'
          ? 403
          : code === 'not_found'
            ? 404
            : code === 'too_large'
              ? 413
              : statusOf(error.code, false)
    const headers = status === 401 ? { 'www-authenticate': 'Bearer' } : {}
    refuse(response, status, error, headers, message?.id)
  }
}

function refuse(
  response: ServerResponse,
  status: number,
  error: RpcError,
  headers: Record<string, string> = {},
  id?: string | number,
): void {
  const body = JSON.stringify(errorBody(id, error))
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body)
}

/** By events and not by iteration, which would cost as much as all the rest of a short call. */
async function readBody(request: IncomingMessage, limit: number): Promise<unknown> {
  const parts: Buffer[] = []
  let bytes = 0
  await new Promise<void>((resolve, reject) => {
    request.on('data', (part: Buffer) => {
      bytes += part.length
      if (bytes <= limit) parts.push(part)
    })
    request.once('end', resolve)
    request.once('error', reject)
    request.once('close', resolve)
  })
  if (bytes > limit) throw new AppError('too_large', `The body may have ${limit} bytes`)
  try {
    return JSON.parse(parts.length === 1 ? String(parts[0]) : Buffer.concat(parts).toString('utf8'))
  } catch {
    throw new RpcError(PARSE_ERROR, 'The body is not valid JSON')
  }
}
