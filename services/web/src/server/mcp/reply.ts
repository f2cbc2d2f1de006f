import type { ServerResponse } from 'node:http'
import { errorBody, type Json, type RpcError, statusOf } from './message.ts'

const HEARTBEAT_MS = 15_000
const ONE_PIECE_BYTES = 16 * 1024

/**
 * The answer to one request: a JSON body when nothing comes before the result, else an event stream whose last event
 * is the result.
 */
export class Reply {
  readonly #response: ServerResponse
  readonly #id: string | number
  readonly #modern: boolean
  #beat: NodeJS.Timeout | undefined

  constructor(response: ServerResponse, id: string | number, modern: boolean) {
    this.#response = response
    this.#id = id
    this.#modern = modern
  }

  /** A notification or a request of the server, before the result. */
  send(message: Json): void {
    this.open()
    if (!this.#response.writableEnded)
      this.#response.write(event(JSON.stringify({ jsonrpc: '2.0', ...message })))
  }

  /** Makes it a stream. */
  open(): void {
    if (this.#response.headersSent) return
    this.#response.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    })
    this.#beat = setInterval(() => this.#response.write(': still here\n\n'), HEARTBEAT_MS)
    this.#response.once('close', () => clearInterval(this.#beat))
  }

  result(result: Json): void {
    const complete =
      this.#modern && result.resultType === undefined ? { resultType: 'complete', ...result } : result
    this.#end(200, Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: this.#id, result: complete })))
  }

  /** The bytes of a RawOutcome, `{"result":…}` or `{"error":…}`: they pass on as they are. */
  outcome(bytes: Uint8Array, status = 200): void {
    const head = Buffer.from(`{"jsonrpc":"2.0","id":${JSON.stringify(this.#id)},`)
    const rest = Buffer.from(bytes.buffer, bytes.byteOffset + 1, bytes.byteLength - 1)
    this.#end(status, Buffer.concat([head, rest]))
  }

  error(error: RpcError, status = statusOf(error.code, this.#modern)): void {
    this.#end(status, Buffer.from(JSON.stringify(errorBody(this.#id, error))))
  }

  #end(status: number, body: Buffer): void {
    clearInterval(this.#beat)
    const response = this.#response
    if (response.destroyed || response.writableEnded) return
    if (response.headersSent) {
      response.write('event: message\ndata: ')
      response.write(body)
      response.end('\n\n')
    } else {
      response.writeHead(status, { 'content-type': 'application/json', 'content-length': body.length })
      // A short text leaves in one piece with its head; bytes would leave in two.
      if (body.length < ONE_PIECE_BYTES) response.end(body.toString('utf8'))
      else response.end(body)
    }
  }
}

function event(data: string): string {
  return `event: message\ndata: ${data}\n\n`
}
