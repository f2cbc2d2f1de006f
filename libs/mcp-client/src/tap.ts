import { AppError } from '@althing/protocol/errors'
import type { JSONRPCMessage, Transport, TransportSendOptions } from '@modelcontextprotocol/client'
import { resultBytes } from './result-bytes.ts'

/** Our own request ids start here; the SDK counts from zero. Numbers, because some servers read ids as integers. */
const FIRST_ID = 1_000_000_000
/** The legacy versions that the SDK knows, newest first. */
const KNOWN_VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'] as const

export interface RawRequest {
  readonly method: string
  readonly params: Record<string, unknown>
  readonly signal: AbortSignal
  readonly onProgress?: (params: unknown) => void
  /** True where closing the request's own stream is how the wire cancels. */
  readonly cancelByStream: boolean
  /** Headers beside those that the transport derives; over pipes they mean nothing. */
  readonly headers?: Readonly<Record<string, string>>
}

/** A result as it was parsed, and as it came when its bytes can be cut out. */
export interface RawAnswer {
  readonly result: unknown
  readonly bytes: Uint8Array | undefined
}

/** What a server's request is answered with. */
export type Reply =
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string } }

interface Pending {
  resolve(answer: RawAnswer): void
  reject(error: AppError): void
  readonly onProgress: ((params: unknown) => void) | undefined
}

export interface TapHandlers {
  /** Every notification of the server, synchronously and in order. */
  readonly onNotification: (method: string, params: unknown) => void
  /** A request of the server. The signal ends when the server does not want the answer any more. */
  readonly onRequest: (method: string, params: unknown, signal: AbortSignal) => Promise<Reply>
  readonly onWarning: (text: string) => void
  /** The other side is gone, or does not know this session any more: only a new connection helps. */
  readonly onLost: (reason: string) => void
}

interface Message {
  readonly id?: unknown
  readonly method?: string
  readonly params?: { readonly progressToken?: unknown; readonly requestId?: unknown }
  readonly result?: { readonly protocolVersion?: unknown }
  readonly error?: { readonly code?: unknown; readonly message?: unknown; readonly data?: unknown }
}

/**
 * Sits between the SDK's client and a transport. Requests of our own and requests of the server pass the SDK's
 * schemas by: their values come and go as they are, parsed once. What is left for the SDK is the handshake, with two
 * tolerances: a protocol version it does not know, and ids that come back as text.
 */
export class Tap implements Transport {
  onmessage?: (message: JSONRPCMessage) => void
  onclose?: () => void
  onerror?: (error: Error) => void
  readonly #inner: Transport
  readonly #handlers: TapHandlers
  readonly #pending = new Map<number, Pending>()
  #nextId = FIRST_ID
  /** The server's requests that are being answered, by their id as JSON. */
  readonly #asked = new Map<string, AbortController>()
  /** The ids of the SDK's own requests that wait. */
  readonly #foreign = new Set<unknown>()
  #initializeId: unknown
  #trueVersion: string | undefined
  #closed: AppError | undefined

  constructor(inner: Transport, handlers: TapHandlers, shape: 'stdio' | 'http') {
    this.#inner = inner
    this.#handlers = handlers
    // The SDK tells a pipe from an address by these two members; only over a pipe silence means an older server.
    if (shape === 'stdio') Object.assign(this, { stderr: null, pid: null })
    inner.onmessage = (message, extra) =>
      this.#receive(message as JSONRPCMessage & Message, (extra as { line?: Buffer } | undefined)?.line)
    inner.onclose = () => {
      this.fail(new AppError('connection_lost', 'The connection to the server ended during the call.'))
      this.onclose?.()
    }
    inner.onerror = (error) => this.onerror?.(error)
  }

  get sessionId(): string | undefined {
    return this.#inner.sessionId
  }

  get hasPerRequestStream(): boolean {
    return this.#inner.hasPerRequestStream ?? false
  }

  /** The version the server named, also where the SDK was told another. */
  get trueVersion(): string | undefined {
    return this.#trueVersion
  }

  start(): Promise<void> {
    return this.#inner.start()
  }

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if ('method' in message && 'id' in message) {
      this.#foreign.add(message.id)
      if (message.method === 'initialize') this.#initializeId = message.id
    }
    await this.#inner.send(message, options)
  }

  setProtocolVersion(version: string): void {
    this.#inner.setProtocolVersion?.(this.#trueVersion ?? version)
  }

  async close(): Promise<void> {
    await this.#inner.close()
  }

  /** Ends every request of ours that waits, and those that come, with this error. */
  fail(error: AppError): void {
    this.#closed ??= error
    const waiting = [...this.#pending.values()]
    this.#pending.clear()
    for (const pending of waiting) pending.reject(error)
    for (const asked of this.#asked.values()) asked.abort(error)
  }

  failOne(id: number, error: AppError): void {
    this.#pending.get(id)?.reject(error)
    this.#pending.delete(id)
  }

  /**
   * Sends a request of ours and resolves with its result, unread. Rejects with `upstream_error` for a JSON-RPC
   * error, `connection_lost` when the connection ends, or the signal's reason; an abort is told to the server.
   */
  request({ method, params, signal, onProgress, cancelByStream, headers }: RawRequest): Promise<RawAnswer> {
    if (this.#closed) return Promise.reject(this.#closed)
    if (signal.aborted) return Promise.reject(signal.reason)
    const id = this.#nextId++
    return new Promise((resolve, reject) => {
      const finish = () => {
        this.#pending.delete(id)
        signal.removeEventListener('abort', onAbort)
      }
      const onAbort = () => {
        finish()
        reject(signal.reason)
        if (!cancelByStream) this.#cancel(id, signal.reason)
      }
      const pending: Pending = {
        onProgress,
        resolve: (answer) => {
          finish()
          resolve(answer)
        },
        reject: (error) => {
          finish()
          reject(error)
        },
      }
      this.#pending.set(id, pending)
      signal.addEventListener('abort', onAbort, { once: true })
      const meta = onProgress ? { _meta: { ...(params._meta as object | undefined), progressToken: id } } : {}
      const message = { jsonrpc: '2.0' as const, id, method, params: { ...params, ...meta } }
      const onEnd = () =>
        pending.reject(new AppError('protocol_error', 'The server closed the stream without an answer.'))
      this.#inner
        .send(
          message,
          this.hasPerRequestStream
            ? { requestSignal: signal, onRequestStreamEnd: onEnd, ...(headers ? { headers } : {}) }
            : undefined,
        )
        .catch((cause: unknown) => pending.reject(this.#sendFault(cause)))
    })
  }

  #sendFault(cause: unknown): AppError {
    const {
      code,
      message = 'unknown',
      data,
    } = cause as { code?: unknown; message?: string; data?: { status?: number } }
    const expired = data?.status === 404
    if (expired || code === 'start_failed') {
      const reason = expired ? 'does not know this session any more' : 'cannot be reached any more'
      this.#handlers.onLost(reason)
      return new AppError('connection_lost', `The server ${reason}.`, { cause })
    }
    if (cause instanceof AppError && isSignedOut(cause)) this.#handlers.onLost('asks for a sign-in')
    return cause instanceof AppError
      ? cause
      : new AppError('upstream_error', message.slice(0, 500), { cause })
  }

  #cancel(requestId: number, reason: unknown): void {
    const word = reason instanceof AppError && reason.code === 'timeout' ? 'timeout' : 'cancelled'
    const note = {
      jsonrpc: '2.0' as const,
      method: 'notifications/cancelled',
      params: { requestId, reason: word },
    }
    this.#inner.send(note).catch(() => {})
  }

  #receive(message: JSONRPCMessage & Message, line: Buffer | undefined): void {
    if (message.method !== undefined) {
      if (message.id !== undefined) void this.#answer(message.id, message.method, message.params)
      else this.#notify(message.method, message.params)
      return
    }
    const id = numericId(message.id) ?? message.id
    const own = this.#pending.get(id as number)
    if (own) {
      if (message.error) own.reject(upstream(message.error))
      else
        own.resolve({ result: message.result, bytes: line && usual(message) ? resultBytes(line) : undefined })
    } else if (this.#foreign.delete(id)) {
      this.onmessage?.({ ...this.#tolerated(message, id), id } as JSONRPCMessage)
    } else if (!(typeof id === 'number' && id >= FIRST_ID)) {
      // Late answers to what was cancelled are expected; anything else is worth a line in the server's log.
      this.#handlers.onWarning(`an answer with the id ${JSON.stringify(message.id)} belongs to no request`)
    }
  }

  async #answer(id: unknown, method: string, params: unknown): Promise<void> {
    const key = JSON.stringify(id)
    const wanted = new AbortController()
    this.#asked.set(key, wanted)
    const reply = await this.#handlers
      .onRequest(method, params, wanted.signal)
      .catch((): Reply => ({ error: { code: -32603, message: 'The request could not be answered' } }))
    this.#asked.delete(key)
    // A request that the server took back gets no answer.
    if (wanted.signal.aborted) return
    await this.#inner.send({ jsonrpc: '2.0', id, ...reply } as JSONRPCMessage).catch(() => {})
  }

  #notify(method: string, params: Message['params']): void {
    if (method === 'notifications/cancelled') {
      this.#asked.get(JSON.stringify(params?.requestId))?.abort(new Error('The server took its request back'))
      return
    }
    if (method === 'notifications/progress') {
      const token = numericId(params?.progressToken)
      if (token !== undefined) this.#pending.get(token)?.onProgress?.(params)
    }
    this.#handlers.onNotification(method, params)
  }

  #tolerated(message: Message, id: unknown): Message {
    const version = message.result?.protocolVersion
    if (typeof version !== 'string' || id !== this.#initializeId) return message
    this.#trueVersion = version
    if ((KNOWN_VERSIONS as readonly string[]).includes(version)) return message
    this.#handlers.onWarning(
      `the server speaks the unknown protocol version ${version}; going on as ${KNOWN_VERSIONS[0]}`,
    )
    return { ...message, result: { ...message.result, protocolVersion: KNOWN_VERSIONS[0] } }
  }
}

/** Whether an answer holds what an answer must and nothing else. */
function usual(message: Message): boolean {
  return Object.keys(message).length === 3 && message.error === undefined
}

/** Unlike one scope too few, which concerns a single call. */
function isSignedOut({ code, details }: AppError): boolean {
  return code === 'needs_auth' && details.scope === undefined
}

/** Ids are numbers; the same number as text is let pass. An empty or absent id is nobody's. */
function numericId(id: unknown): number | undefined {
  if (typeof id === 'number') return id
  return typeof id === 'string' && /^\d+$/.test(id) ? Number(id) : undefined
}

function upstream(error: NonNullable<Message['error']>): AppError {
  const text = typeof error.message === 'string' && error.message !== '' ? error.message : 'no message'
  return new AppError('upstream_error', `The server answered with an error: ${text}`, {
    details: { rpc_code: error.code, rpc_message: error.message, rpc_data: error.data },
  })
}
