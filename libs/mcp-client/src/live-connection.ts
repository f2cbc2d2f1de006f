import { AppError, ERRORS } from '@althing/protocol/errors'
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  LOG_LEVEL_META_KEY,
  PROTOCOL_VERSION_META_KEY,
} from '@modelcontextprotocol/client'
import { ELICITATION } from './ask.ts'
import type { Attempt } from './attempt.ts'
import { CallClock } from './call-clock.ts'
import type { CallRequest, Connection, ConnectOptions } from './connection.ts'
import { type Retry, withInputRounds } from './input-rounds.ts'
import { keepListening } from './listen.ts'
import { readProgress } from './notes.ts'
import type { OpenCall } from './open-calls.ts'
import { paramHeaders } from './param-headers.ts'
import type { RawAnswer } from './tap.ts'
import type { Era } from './target.ts'
import { settleTask, TASKS_EXTENSION, type TaskRef, taskIn } from './tasks.ts'
import { type ToolListing, walkTools } from './tool-list.ts'
import { urlsRequired, visitAll } from './url-required.ts'

const SHORTEST_REFRESH_MS = 10_000
const LONGEST_REFRESH_MS = 3_600_000
const TASK_TTL_MS = 3_600_000

type Json = Record<string, unknown>

interface ServerCapabilities {
  readonly tools?: { readonly listChanged?: boolean }
  readonly prompts?: { readonly listChanged?: boolean }
  readonly resources?: { readonly listChanged?: boolean; readonly subscribe?: boolean }
  readonly logging?: unknown
  readonly tasks?: { readonly requests?: { readonly tools?: { readonly call?: unknown } } }
}

/** A connection after its handshake: everything a caller may want of a server goes through `request`. */
export class LiveConnection implements Connection {
  readonly era: Era
  readonly protocolVersion: string
  readonly serverInfo: Connection['serverInfo']
  readonly capabilities: Json
  readonly instructions: string | undefined
  readonly #options: ConnectOptions
  readonly #attempt: Attempt
  readonly #closing = new AbortController()
  readonly #cancelByStream: boolean
  #refreshTimer: NodeJS.Timeout | undefined

  constructor(options: ConnectOptions, attempt: Attempt) {
    const { client, tap, stdio, http } = attempt
    this.#options = options
    this.#attempt = attempt
    this.era = client.getProtocolEra() === 'modern' ? 'modern' : 'legacy'
    this.protocolVersion = tap.trueVersion ?? client.getNegotiatedProtocolVersion() ?? 'unknown'
    this.serverInfo = client.getServerVersion() ?? { name: 'unknown', version: 'unknown' }
    this.capabilities = (client.getServerCapabilities() ?? {}) as Json
    this.instructions = client.getInstructions()
    this.#cancelByStream = this.era === 'modern' && http !== undefined
    attempt.lost.tell = (reason) => this.#ended(reason)
    client.onclose = () => {
      const reason = stdio?.exitReason ?? 'closed the connection'
      tap.fail(new AppError('connection_lost', `The server ${reason} during the call.`))
      this.#ended(reason)
    }
    if (this.era === 'modern') this.#listen()
  }

  get process() {
    return this.#attempt.stdio?.identity
  }

  async listTools(signal: AbortSignal): Promise<ToolListing> {
    if (this.#offers.tools === undefined)
      return { tools: [], problems: [], truncated: undefined, ttlMs: undefined }
    const overHttp = this.era === 'modern' && this.#attempt.http !== undefined
    const listing = await walkTools(async (cursor) => {
      const answer = await this.#send('tools/list', cursor === undefined ? {} : { cursor }, signal)
      return answer.result
    }, overHttp)
    this.#refreshAfter(listing.ttlMs)
    return listing
  }

  async request(call: CallRequest): Promise<RawAnswer> {
    const { method, params } = call
    const kept = call.inputRequired === 'return' ? undefined : this.#attempt.cache.get(method, params)
    if (kept) return kept
    const answer = await this.#inFlight(call, (open) => this.#answered(call, open))
    this.#attempt.cache.put(method, params, answer)
    return answer
  }

  /** Goes on with a task that was begun before, perhaps by another process. */
  async resumeTask(task: TaskRef, call: CallRequest): Promise<unknown> {
    return this.#inFlight(call, (open) => this.#settle(task, call, open))
  }

  async close(): Promise<void> {
    this.#closing.abort(new AppError('connection_lost', 'The connection was closed.'))
    clearTimeout(this.#refreshTimer)
    await this.#attempt.http?.terminateSession().catch(() => {})
    await this.#attempt.dispose()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  get #offers(): ServerCapabilities {
    return this.capabilities
  }

  /** Everything that surrounds a call in flight: its clock, its place among the others, one kind of error. */
  async #inFlight<T>(call: CallRequest, work: (open: OpenCall) => Promise<T>): Promise<T> {
    using clock = new CallClock(call.timeoutMs, call.capMs, call.signal)
    const { caller, answer, onNotification } = call
    const open: OpenCall = { caller, clock, answer, onNotification }
    try {
      const entered = this.#attempt.calls.enter(open, clock.signal)
      using _place = entered instanceof Promise ? await entered : entered
      return await work(open)
    } catch (error) {
      throw error instanceof AppError
        ? error
        : new AppError('cancelled', ERRORS.cancelled.title, { cause: error })
    }
  }

  async #answered(call: CallRequest, open: OpenCall): Promise<RawAnswer> {
    const { signal } = open.clock
    const send = (retry: Retry) => this.#sendVisited(call, retry, open, signal)
    const answer =
      this.era === 'modern' && call.answer !== undefined && call.inputRequired !== 'return'
        ? await withInputRounds(send, { answer: call.answer, clock: open.clock, signal })
        : await send({})
    const task = call.method === 'tools/call' ? taskIn(answer.result, this.era) : undefined
    if (task === undefined) return answer
    await call.onTask?.(task)
    return { result: await this.#settle(task, call, open), bytes: undefined }
  }

  /** Sends a call; what wants an address visited first is asked for and sent once more. */
  async #sendVisited(
    call: CallRequest,
    retry: Retry,
    open: OpenCall,
    signal: AbortSignal,
  ): Promise<RawAnswer> {
    try {
      return await this.#sendCall(call, retry, signal)
    } catch (error) {
      const urls = urlsRequired(error)
      if (urls.length === 0 || call.answer === undefined || call.inputRequired === 'return') throw error
      open.clock.pause()
      await visitAll(urls, call.answer, signal).finally(() => open.clock.resume())
      return this.#sendCall(call, retry, signal)
    }
  }

  /** A task has its own time to live; the clock of the call ends here. */
  #settle(task: TaskRef, call: CallRequest, open: OpenCall): Promise<unknown> {
    open.clock[Symbol.dispose]()
    const { answer, signal } = call
    return settleTask(task, {
      answer,
      signal,
      send: async (method, params, until = this.#closing.signal) => {
        const meta = this.era === 'modern' ? this.#envelope(call) : undefined
        return (await this.#send(method, params, until, meta)).result
      },
    })
  }

  #sendCall(call: CallRequest, retry: Retry, signal: AbortSignal): Promise<RawAnswer> {
    const { method, params, tool, onProgress } = call
    const isCall = method === 'tools/call'
    const asTask =
      isCall &&
      this.era === 'legacy' &&
      this.#offers.tasks?.requests?.tools?.call !== undefined &&
      ['required', 'optional'].includes(String(tool?.execution?.taskSupport))
    const headers =
      isCall && this.#cancelByStream && tool ? paramHeaders(tool.inputSchema, params.arguments) : undefined
    return this.#attempt.tap.request({
      method,
      params: this.#withMeta(
        { ...params, ...retry, ...(asTask ? { task: { ttl: TASK_TTL_MS } } : {}) },
        this.era === 'modern' ? this.#envelope(call) : call.meta,
      ),
      signal,
      cancelByStream: this.#cancelByStream,
      ...(headers === undefined ? {} : { headers }),
      ...(onProgress === undefined
        ? {}
        : {
            onProgress: (raw: unknown) => {
              const read = readProgress(raw)
              if (read) onProgress(read)
            },
          }),
    })
  }

  #send(method: string, params: Json, signal: AbortSignal, meta?: Json): Promise<RawAnswer> {
    const envelope = this.era === 'modern' ? (meta ?? this.#envelope()) : undefined
    return this.#attempt.tap.request({
      method,
      params: this.#withMeta(params, envelope),
      signal,
      cancelByStream: this.#cancelByStream,
    })
  }

  /** The modern era has no session: every request says who asks and what they can do. */
  #envelope(call?: CallRequest): Json {
    const elicitation = call?.answer === undefined ? {} : { elicitation: ELICITATION }
    const tasks =
      call?.method === 'tools/call' && call.inputRequired !== 'return'
        ? { extensions: { [TASKS_EXTENSION]: {} } }
        : {}
    return {
      ...call?.meta,
      [PROTOCOL_VERSION_META_KEY]: this.protocolVersion,
      [CLIENT_INFO_META_KEY]: this.#options.clientInfo,
      [CLIENT_CAPABILITIES_META_KEY]: { ...(call?.capabilities ?? elicitation), ...tasks },
      ...(this.#offers.logging === undefined ? {} : { [LOG_LEVEL_META_KEY]: 'info' }),
    }
  }

  #withMeta(params: Json, meta: Json | undefined): Json {
    return meta === undefined || Object.keys(meta).length === 0 ? params : { ...params, _meta: meta }
  }

  #listen(): void {
    const { tools, prompts, resources } = this.#offers
    const filter = {
      ...(tools?.listChanged ? { toolsListChanged: true } : {}),
      ...(prompts?.listChanged ? { promptsListChanged: true } : {}),
      ...(resources?.listChanged ? { resourcesListChanged: true } : {}),
    }
    if (Object.keys(filter).length === 0) return
    void keepListening({
      listen: (signal) => this.#send('subscriptions/listen', { notifications: filter }, signal),
      onGap: () => this.#attempt.refresh.ask(),
      signal: this.#closing.signal,
    })
  }

  /** A server that does not tell of changes is asked again when its list has grown old. */
  #refreshAfter(ttlMs: number | undefined): void {
    clearTimeout(this.#refreshTimer)
    if (ttlMs === undefined || this.#offers.tools?.listChanged || this.#closing.signal.aborted) return
    const afterMs = Math.min(LONGEST_REFRESH_MS, Math.max(SHORTEST_REFRESH_MS, ttlMs))
    this.#refreshTimer = setTimeout(() => this.#attempt.refresh.ask(), afterMs).unref()
  }

  #ended(reason: string): void {
    clearTimeout(this.#refreshTimer)
    if (this.#closing.signal.aborted) return
    this.#closing.abort(new AppError('connection_lost', `The server ${reason}.`))
    this.#options.onClose(reason)
  }
}
