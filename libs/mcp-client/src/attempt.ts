import { AppError } from '@althing/protocol/errors'
import {
  Client,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client'
import { ELICITATION } from './ask.ts'
import type { ConnectOptions } from './connection.ts'
import { Inbound } from './inbound.ts'
import { ListCache } from './list-cache.ts'
import { OpenCalls } from './open-calls.ts'
import { Refresh } from './refresh.ts'
import { type RawAnswer, Tap } from './tap.ts'
import { guardedAgent } from './transport/address-guard.ts'
import { StdioTransport } from './transport/stdio.ts'
import { undiciFetch } from './transport/undici-fetch.ts'

/** The parts of a connection, before anybody knows whether it will be one. */
export interface Attempt {
  readonly client: Client
  readonly tap: Tap
  readonly calls: OpenCalls
  readonly cache: ListCache<RawAnswer>
  readonly refresh: Refresh
  readonly stdio: StdioTransport | undefined
  readonly http: StreamableHTTPClientTransport | undefined
  readonly lost: { tell?: (reason: string) => void }
  dispose(): Promise<void>
  /** What went wrong on the way, in our own words, where the SDK has only its own. */
  fault(): AppError | undefined
}

/** Puts the parts together; nothing is started yet. */
export function prepare(options: ConnectOptions, oldSse: boolean): Attempt {
  const { target, relays } = options
  const client = new Client(options.clientInfo, {
    capabilities: { elicitation: ELICITATION, ...(relays ? { sampling: {}, roots: {} } : {}) },
    versionNegotiation: { mode: 'auto', probe: { timeoutMs: options.probeTimeoutMs } },
  })
  const calls = new OpenCalls()
  const cache = new ListCache<RawAnswer>()
  const refresh = new Refresh(() => options.onToolsChanged())
  const inbound = new Inbound(options, calls, refresh, cache)
  const lost: Attempt['lost'] = {}
  const handlers = {
    onNotification: (method: string, params: unknown) => inbound.notification(method, params),
    onRequest: (method: string, params: unknown, signal: AbortSignal) =>
      inbound.request(method, params, signal),
    onWarning: (text: string) => options.onLog({ tag: 'lifecycle', text }),
    onLost: (reason: string) => lost.tell?.(reason),
  }
  const wire =
    target.kind === 'stdio'
      ? overPipes(options, target, handlers)
      : overHttp(options, target, handlers, oldSse)
  return {
    client,
    calls,
    cache,
    refresh,
    lost,
    ...wire,
    dispose: async () => {
      refresh.stop()
      await wire.dispose()
    },
  }
}

/** A stream that is cut is opened again some ten times within minutes, from its last event. */
const RECONNECTION = {
  initialReconnectionDelay: 500,
  maxReconnectionDelay: 30_000,
  reconnectionDelayGrowFactor: 2,
  maxRetries: 10,
}

type Wire = Pick<Attempt, 'tap' | 'stdio' | 'http' | 'dispose' | 'fault'>
type Handlers = ConstructorParameters<typeof Tap>[1]
type StdioTarget = Extract<ConnectOptions['target'], { kind: 'stdio' }>
type HttpTarget = Extract<ConnectOptions['target'], { kind: 'http' }>

function overPipes(options: ConnectOptions, target: StdioTarget, handlers: Handlers): Wire {
  const { maxMessageBytes, onLog, graceMs } = options
  const stdio = new StdioTransport({ ...target, maxMessageBytes, onLog, graceMs })
  const tap = new Tap(stdio, handlers, 'stdio')
  stdio.onoversized = (id, bytes) => {
    const error = new AppError(
      'result_too_large',
      `The result has ${bytes} bytes; the limit of this server is ${maxMessageBytes}.`,
    )
    if (id === undefined) tap.fail(error)
    else tap.failOne(id, error)
  }
  return { tap, stdio, http: undefined, dispose: () => stdio.close(), fault: () => undefined }
}

function overHttp(options: ConnectOptions, target: HttpTarget, handlers: Handlers, oldSse: boolean): Wire {
  const { maxMessageBytes } = options
  const dispatcher = guardedAgent(target.policy)
  const met: { fault?: AppError } = {}
  const fetch = undiciFetch({
    dispatcher,
    maxMessageBytes,
    answersOnStream: oldSse,
    onFault: (error) => (met.fault = error),
    ...(target.authorizer ? { authorizer: target.authorizer } : {}),
  })
  const init = { fetch, requestInit: { headers: { ...target.headers } } }
  const http = oldSse
    ? undefined
    : new StreamableHTTPClientTransport(target.url, { ...init, reconnectionOptions: RECONNECTION })
  const inner: Transport = http ?? new SSEClientTransport(target.url, init)
  const tap = new Tap(inner, handlers, 'http')
  const dispose = async () => {
    await inner.close().catch(() => {})
    await dispatcher.destroy().catch(() => {})
  }
  return { tap, stdio: undefined, http, dispose, fault: () => met.fault }
}
