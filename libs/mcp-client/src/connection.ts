import { AppError, ERRORS } from '@althing/protocol/errors'
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  Client,
  PROTOCOL_VERSION_META_KEY,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client'
import { readLogMessage, readProgress } from './notes.ts'
import { Refresh } from './refresh.ts'
import { Tap } from './tap.ts'
import type { Era, Target } from './target.ts'
import { type ToolListing, walkTools } from './tool-list.ts'
import { guardedAgent } from './transport/address-guard.ts'
import type { ProcessIdentity } from './transport/process-group.ts'
import { type LogRecord, StdioTransport } from './transport/stdio.ts'
import { undiciFetch } from './transport/undici-fetch.ts'

/** What is declared to servers is what is serviced: nothing, for now, that a server could ask of us. */
const CAPABILITIES = {}

export interface ConnectOptions {
  readonly target: Target
  readonly clientInfo: { readonly name: string; readonly version: string }
  /** Milliseconds for the whole of starting and shaking hands. */
  readonly startTimeoutMs: number
  /** Milliseconds after which a server that is silent on the probe counts as of the older era. */
  readonly probeTimeoutMs: number
  readonly maxMessageBytes: number
  readonly graceMs: number
  /** What was found out about this target before; saves the probe. */
  readonly knownEra?: Era
  readonly onLog: (record: LogRecord) => void
  /** Every notification that is not the protocol's own, synchronously and in order. */
  readonly onNotification: (method: string, params: unknown) => void
  readonly onToolsChanged: () => Promise<void>
  /** The connection ended without being closed. */
  readonly onClose: (reason: string) => void
  readonly signal: AbortSignal
}

export interface ToolCallRequest {
  readonly tool: string
  readonly arguments: Readonly<Record<string, unknown>>
  readonly meta?: Readonly<Record<string, string>>
  readonly timeoutMs: number
  readonly signal: AbortSignal
  readonly onProgress: (progress: { progress: number; total?: number; message?: string }) => void
}

/** A live connection to one MCP server. */
export interface Connection extends AsyncDisposable {
  readonly era: Era
  readonly protocolVersion: string
  readonly serverInfo: { readonly name: string; readonly version: string }
  /** The child process, for stdio. */
  readonly process: ProcessIdentity | undefined
  listTools(signal: AbortSignal): Promise<ToolListing>
  /** Resolves with the raw result, whatever its shape. Rejects with an AppError. */
  callTool(request: ToolCallRequest): Promise<unknown>
  /** Resolves when nothing of it is left. */
  close(): Promise<void>
}

interface Attempt {
  readonly client: Client
  readonly tap: Tap
  readonly stdio: StdioTransport | undefined
  readonly http: StreamableHTTPClientTransport | undefined
  readonly lost: { tell?: (reason: string) => void }
  dispose(): Promise<void>
  fault(): AppError | undefined
}

type Prior = 'legacy' | undefined

/**
 * Connects: starts the program or reaches the address, finds out the era, shakes hands. Rejects with an AppError
 * whose text says what to mend (`command_not_found`, `start_failed`, `start_timeout`, `protocol_error`,
 * `needs_auth`, `address_not_allowed`); then nothing of the attempt is left.
 */
export async function connect(options: ConnectOptions): Promise<Connection> {
  const deadline = AbortSignal.timeout(options.startTimeoutMs)
  const signal = AbortSignal.any([options.signal, deadline])
  const prior: Prior = options.knownEra === 'legacy' ? 'legacy' : undefined
  try {
    return await attempt(options, prior, false, signal)
  } catch (error) {
    if (deadline.aborted) {
      throw new AppError('start_timeout', `The server did not answer within ${options.startTimeoutMs} ms.`, {
        cause: error,
      })
    }
    if (options.signal.aborted) throw new AppError('cancelled', 'Connecting was cancelled.', { cause: error })
    const { target } = options
    // Some servers of the older era exit on a request they do not know; they get a second start without the probe.
    const exitedOnProbe = target.kind === 'stdio' && prior === undefined && isExit(error)
    if (exitedOnProbe)
      return attempt(options, 'legacy', false, signal).catch((again) => Promise.reject(startFault(again)))
    if (target.kind === 'http' && target.allowSse && refusesStreamable(error)) {
      return attempt(options, 'legacy', true, signal).catch((again) => Promise.reject(startFault(again)))
    }
    throw startFault(error)
  }
}

function isExit(error: unknown): boolean {
  return error instanceof AppError && error.code === 'start_failed' && error.details.exited === true
}

function refusesStreamable(error: unknown): boolean {
  const text = error instanceof Error ? `${error.message} ${String(error.cause ?? '')}` : ''
  return /HTTP 4\d\d|\b(?:400|404|405)\b|Cannot POST/.test(text)
}

function startFault(error: unknown): AppError {
  if (error instanceof AppError) return error
  const text = error instanceof Error ? error.message : String(error)
  return new AppError('protocol_error', `The server did not shake hands: ${text.slice(0, 300)}`, {
    cause: error,
  })
}

async function attempt(
  options: ConnectOptions,
  prior: Prior,
  oldSse: boolean,
  signal: AbortSignal,
): Promise<Connection> {
  const tries = open(options, oldSse)
  const { client, tap, stdio } = tries
  const aborted = Promise.withResolvers<never>()
  aborted.promise.catch(() => {})
  const onAbort = () => aborted.reject(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  tap.onerror = () => {}
  try {
    const connecting = client.connect(tap, {
      timeout: options.startTimeoutMs,
      ...(prior === 'legacy' ? { prior: { kind: 'legacy' as const } } : {}),
    })
    connecting.catch(() => {})
    await Promise.race([connecting, aborted.promise])
  } catch (error) {
    await tries.dispose()
    throw tries.fault() ?? exitFault(stdio) ?? error
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
  return living(options, tries)
}

function exitFault(stdio: StdioTransport | undefined): AppError | undefined {
  if (stdio?.exitedByItself !== true) return undefined
  return new AppError('start_failed', `The server ${stdio.exitReason} before it was ready.`, {
    details: { exited: true },
  })
}

function open(options: ConnectOptions, oldSse: boolean): Attempt {
  const { target, maxMessageBytes, onLog } = options
  const client = new Client(options.clientInfo, {
    capabilities: CAPABILITIES,
    versionNegotiation: { mode: 'auto', probe: { timeoutMs: options.probeTimeoutMs } },
  })
  const listed: { refresh?: () => void } = {}
  const lost: { tell?: (reason: string) => void } = {}
  const handlers = {
    onNotification: (method: string, params: unknown) => {
      if (method === 'notifications/message') onLog(readLogMessage(params))
      else if (method === 'notifications/tools/list_changed') listed.refresh?.()
      else options.onNotification(method, params)
    },
    onWarning: (text: string) => onLog({ tag: 'lifecycle', text }),
    onLost: (reason: string) => lost.tell?.(reason),
  }
  const refresh = new Refresh(() => options.onToolsChanged())
  listed.refresh = () => refresh.ask()
  if (target.kind === 'stdio') {
    const stdio = new StdioTransport({ ...target, maxMessageBytes, onLog, graceMs: options.graceMs })
    const tap = new Tap(stdio, handlers, 'stdio')
    stdio.onoversized = (id, bytes) => {
      const error = new AppError(
        'result_too_large',
        `The result has ${bytes} bytes; the limit of this server is ${maxMessageBytes}.`,
      )
      if (id === undefined) tap.fail(error)
      else tap.failOne(id, error)
    }
    const dispose = async () => {
      refresh.stop()
      await stdio.close()
    }
    return { client, tap, stdio, http: undefined, lost, dispose, fault: () => undefined }
  }
  const dispatcher = guardedAgent(target.policy)
  const met: { fault?: AppError } = {}
  const fetch = undiciFetch({ dispatcher, maxMessageBytes, onFault: (error) => (met.fault = error) })
  const init = { fetch, requestInit: { headers: { ...target.headers } } }
  const http = oldSse ? undefined : new StreamableHTTPClientTransport(target.url, init)
  const inner: Transport = http ?? new SSEClientTransport(target.url, init)
  const tap = new Tap(inner, handlers, 'http')
  const dispose = async () => {
    refresh.stop()
    await inner.close().catch(() => {})
    await dispatcher.destroy().catch(() => {})
  }
  return { client, tap, stdio: undefined, http, lost, dispose, fault: () => met.fault }
}

function living(options: ConnectOptions, { client, tap, stdio, http, lost, dispose }: Attempt): Connection {
  const era: Era = client.getProtocolEra() === 'modern' ? 'modern' : 'legacy'
  const protocolVersion = tap.trueVersion ?? client.getNegotiatedProtocolVersion() ?? 'unknown'
  const capabilities = client.getServerCapabilities()
  const cancelByStream = era === 'modern' && http !== undefined
  // The modern era has no session: every request says who asks and what they can do.
  const envelope = {
    [PROTOCOL_VERSION_META_KEY]: protocolVersion,
    [CLIENT_INFO_META_KEY]: options.clientInfo,
    [CLIENT_CAPABILITIES_META_KEY]: CAPABILITIES,
  }
  const meta = (extra: Readonly<Record<string, string>> = {}) =>
    era === 'modern'
      ? { _meta: { ...envelope, ...extra } }
      : Object.keys(extra).length > 0
        ? { _meta: extra }
        : {}
  let closing = false
  lost.tell = (reason) => {
    if (!closing) options.onClose(reason)
  }
  client.onclose = () => {
    const reason = stdio?.exitReason ?? 'closed the connection'
    tap.fail(new AppError('connection_lost', `The server ${reason} during the call.`))
    if (!closing) options.onClose(reason)
  }
  const close = async () => {
    closing = true
    await http?.terminateSession().catch(() => {})
    await dispose()
  }
  return {
    era,
    protocolVersion,
    serverInfo: client.getServerVersion() ?? { name: 'unknown', version: 'unknown' },
    process: stdio?.identity,
    async listTools(signal) {
      if (!capabilities?.tools) return { tools: [], problems: [], truncated: undefined }
      return walkTools((cursor) =>
        tap.request({
          method: 'tools/list',
          params: { ...(cursor === undefined ? {} : { cursor }), ...meta() },
          signal,
          cancelByStream,
        }),
      )
    },
    async callTool({ tool, arguments: args, meta: extra, timeoutMs, signal, onProgress }) {
      const late = new AbortController()
      const timer = setTimeout(() => {
        late.abort(new AppError('timeout', `The tool did not answer within ${timeoutMs} ms.`))
      }, timeoutMs)
      try {
        return await tap.request({
          method: 'tools/call',
          params: { name: tool, arguments: args, ...meta(extra) },
          signal: AbortSignal.any([signal, late.signal]),
          cancelByStream,
          onProgress: (params) => {
            const read = readProgress(params)
            if (read) onProgress(read)
          },
        })
      } catch (error) {
        throw error instanceof AppError
          ? error
          : new AppError('cancelled', ERRORS.cancelled.title, { cause: error })
      } finally {
        clearTimeout(timer)
      }
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}
