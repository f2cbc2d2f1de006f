import { Readable, Transform } from 'node:stream'
import { AppError } from '@althing/protocol/errors'
import type { FetchLike } from '@modelcontextprotocol/client'
import type { Dispatcher } from 'undici'

const LF = 0x0a
const LONGEST_EXTRACT = 200
const NO_BODY = new Set([202, 204, 304])

export interface FetchOptions {
  readonly dispatcher: Dispatcher
  readonly maxMessageBytes: number
  /** Told of a fault that the SDK would reword, before it is thrown. */
  readonly onFault: (error: AppError) => void
}

/**
 * The `fetch` that the SDK's HTTP transport gets: `undici.request` with byte limits and clear faults. Costs a
 * fraction of the global one. Answers that cannot be MCP fail at once instead of waiting for a time-out.
 */
export function undiciFetch({ dispatcher, maxMessageBytes, onFault }: FetchOptions): FetchLike {
  return async (input, init = {}) => {
    const url = new URL(input)
    const body = typeof init.body === 'string' ? init.body : null
    const method = (init.method ?? 'GET') as Dispatcher.HttpMethod
    const fail = (error: AppError): never => {
      onFault(error)
      throw error
    }
    const answer = await dispatcher
      .request({
        origin: url.origin,
        path: url.pathname + url.search,
        method,
        headers: Object.fromEntries(new Headers(init.headers)),
        body,
        ...(init.signal ? { signal: init.signal } : {}),
      })
      .catch((cause: unknown) =>
        init.signal?.aborted ? Promise.reject(cause) : fail(unreachable(url, cause)),
      )
    const response = new LeanResponse(answer, url, maxMessageBytes)
    if (response.status === 401) {
      await response.discard()
      fail(new AppError('needs_auth', `${url.host} asks for a sign-in (HTTP 401).`))
    }
    if (response.status === 202 && isRequest(body)) {
      await response.discard()
      fail(
        new AppError('protocol_error', 'The server accepted a request (HTTP 202) but gave no answer to it.'),
      )
    }
    if (method === 'POST' && response.ok && !NO_BODY.has(response.status)) {
      const type = (response.headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase()
      if (type !== 'application/json' && type !== 'text/event-stream' && isRequest(body)) {
        const extract = await response.extract(LONGEST_EXTRACT)
        fail(
          new AppError(
            'protocol_error',
            `The server answered HTTP ${response.status} with ${type || 'no content type'}, not MCP: ${extract}`,
          ),
        )
      }
    }
    return response as unknown as Response
  }
}

/** Parses the few bodies that it is asked about: those whose answer is odd. */
function isRequest(body: string | null): boolean {
  if (body === null) return false
  const message = JSON.parse(body) as { method?: unknown; id?: unknown }
  return message.method !== undefined && message.id !== undefined
}

function unreachable(url: URL, cause: unknown): AppError {
  if (cause instanceof AppError) return cause
  const code = (cause as { code?: string }).code ?? (cause instanceof Error ? cause.message : 'unknown')
  return new AppError('start_failed', `${url.host} cannot be reached (${code}).`, { cause })
}

/** The members of a Response that the SDK uses, over an undici answer. */
class LeanResponse {
  readonly status: number
  readonly ok: boolean
  readonly statusText = ''
  readonly url: string
  readonly type = 'basic'
  readonly redirected = false
  readonly headers: { get(name: string): string | null; has(name: string): boolean }
  readonly #answer: Dispatcher.ResponseData
  readonly #most: number
  #body: ReadableStream<Uint8Array> | undefined

  constructor(answer: Dispatcher.ResponseData, url: URL, most: number) {
    this.#answer = answer
    this.#most = most
    this.status = answer.statusCode
    this.ok = answer.statusCode >= 200 && answer.statusCode < 300
    this.url = url.href
    const raw = answer.headers
    this.headers = {
      get: (name) => {
        const value = raw[name.toLowerCase()]
        return value === undefined ? null : Array.isArray(value) ? value.join(', ') : value
      },
      has: (name) => raw[name.toLowerCase()] !== undefined,
    }
  }

  async text(): Promise<string> {
    const parts: Buffer[] = []
    let bytes = 0
    for await (const part of this.#answer.body as AsyncIterable<Buffer>) {
      bytes += part.length
      if (bytes > this.#most) {
        this.#answer.body.destroy()
        throw new AppError(
          'result_too_large',
          `The server's answer is over the limit of ${this.#most} bytes.`,
        )
      }
      parts.push(part)
    }
    return Buffer.concat(parts).toString('utf8')
  }

  async json(): Promise<unknown> {
    const text = await this.text()
    try {
      return JSON.parse(text)
    } catch (cause) {
      const what = text === '' ? 'an empty body' : 'what is not JSON'
      throw new AppError('protocol_error', `The server answered HTTP ${this.status} with ${what}.`, { cause })
    }
  }

  /** The body as an event stream; a line above the limit ends it. */
  get body(): ReadableStream<Uint8Array> {
    this.#body ??= Readable.toWeb(this.#answer.body.pipe(lineLimit(this.#most))) as ReadableStream<Uint8Array>
    return this.#body
  }

  async discard(): Promise<void> {
    await this.#answer.body.dump().catch(() => {})
  }

  /** The first characters, on one line, without what could be taken for mark-up or control. */
  async extract(most: number): Promise<string> {
    let text = ''
    for await (const part of this.#answer.body as AsyncIterable<Buffer>) {
      text += part.toString('utf8')
      if (text.length >= most * 2) break
    }
    this.#answer.body.destroy()
    const plain = text.replaceAll(/<[^>]*>/g, ' ').replaceAll(/[^\P{C}]/gu, ' ')
    return JSON.stringify(plain.replaceAll(/\s+/g, ' ').trim().slice(0, most))
  }
}

function lineLimit(most: number): Transform {
  let sinceEnd = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const last = chunk.lastIndexOf(LF)
      sinceEnd = last === -1 ? sinceEnd + chunk.length : chunk.length - last - 1
      if (sinceEnd > most)
        done(new AppError('result_too_large', `An event is over the limit of ${most} bytes.`))
      else done(null, chunk)
    },
  })
}
