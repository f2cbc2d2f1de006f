import { randomUUIDv7 } from 'node:crypto'
import type { Ask } from '@althing/mcp-client/ask'
import { AppError } from '@althing/protocol/errors'
import type { CallFrame } from '@althing/protocol/model/relay'

interface Waiting {
  readonly user: string
  resolve(result: unknown): void
  reject(error: AppError): void
}

/** Questions of servers that were passed to the MCP client that called, until it answers. */
export class InlineAsks {
  readonly #instance: string
  readonly #waiting = new Map<string, Waiting>()

  constructor(instance: string) {
    this.#instance = instance
  }

  /** Passes a question on with the frames of its call; rejects when the signal ends or the client refuses. */
  async ask(user: string, ask: Ask, send: (frame: CallFrame) => void, signal: AbortSignal): Promise<unknown> {
    const id = randomUUIDv7()
    const answered = Promise.withResolvers<unknown>()
    const onAbort = () => answered.reject(signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
    this.#waiting.set(id, { user, resolve: answered.resolve, reject: answered.reject })
    send({ ask: { id, instance: this.#instance, method: ask.method, params: ask.params } })
    try {
      return await answered.promise
    } finally {
      signal.removeEventListener('abort', onAbort)
      if (this.#waiting.delete(id)) send({ ask_ended: id })
    }
  }

  /** Throws `not_found` when nobody of this person waits for it any more. */
  answer(user: string, id: string, answer: { readonly result?: unknown; readonly refused?: boolean }): void {
    const waiting = this.#waiting.get(id)
    if (waiting === undefined || waiting.user !== user)
      throw new AppError('not_found', 'Nobody waits for this answer any more.')
    this.#waiting.delete(id)
    if (answer.refused) waiting.reject(new AppError('cancelled', 'The client does not answer this.'))
    else waiting.resolve(answer.result)
  }
}
