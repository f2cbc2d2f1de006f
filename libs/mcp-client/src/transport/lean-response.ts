import { pipeline, Readable, Transform } from 'node:stream'
import { AppError } from '@althing/protocol/errors'
import type { Dispatcher } from 'undici'

const LF = 0x0a

/** The members of a Response that the SDK uses, over an undici answer. */
export class LeanResponse {
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
    // A line that breaks must end the stream: whoever reads it would wait for ever for the rest.
    this.#body ??= Readable.toWeb(
      pipeline(this.#answer.body, lineLimit(this.#most), () => {}),
    ) as ReadableStream<Uint8Array>
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
