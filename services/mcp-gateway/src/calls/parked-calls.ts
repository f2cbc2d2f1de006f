import { randomUUID } from 'node:crypto'
import type { Answerer, Ask } from '@althing/mcp-client/ask'
import type { RawAnswer } from '@althing/mcp-client/tap'
import { AppError } from '@althing/protocol/errors'
import type { CallRetry } from '@althing/protocol/model/relay'

const PREFIX = 'althing'

interface Question {
  readonly ask: Ask
  resolve(result: unknown): void
  reject(error: unknown): void
}

interface Parked {
  readonly user: string
  readonly done: Promise<RawAnswer>
  readonly stop: AbortController
  readonly questions: Map<string, Question>
  wake: () => void
  timer: NodeJS.Timeout | undefined
}

/**
 * Calls of clients of the 2026-07-28 era on servers of the older one. When the server asks something the client gets
 * a result that requires input, while the call to the server waits here; the client's next try goes on with it.
 */
export class ParkedCalls {
  readonly #instance: string
  readonly #patienceMs: number
  readonly #parked = new Map<string, Parked>()
  #asked = 0

  constructor(instance: string, patienceMs: number) {
    this.#instance = instance
    this.#patienceMs = patienceMs
  }

  /** Whether a retry is about a call that some instance parked, and not the server's own business. */
  static isParked(retry: CallRetry | undefined): boolean {
    return typeof retry?.requestState === 'string' && retry.requestState.startsWith(`${PREFIX}:`)
  }

  /** Makes a call; the outcome is its result, or what it asks. */
  begin(
    user: string,
    call: (answer: Answerer, signal: AbortSignal) => Promise<RawAnswer>,
    signal: AbortSignal,
  ): Promise<RawAnswer> {
    const id = randomUUID()
    const stop = new AbortController()
    const questions: Parked['questions'] = new Map()
    const answer: Answerer = (ask, unwanted) =>
      new Promise((resolve, reject) => {
        const key = `q${++this.#asked}`
        questions.set(key, { ask, resolve, reject })
        unwanted.addEventListener('abort', () => questions.delete(key), { once: true })
        queueMicrotask(() => parked.wake())
      })
    const parked: Parked = {
      user,
      done: call(answer, stop.signal),
      stop,
      questions,
      wake: () => {},
      timer: undefined,
    }
    parked.done.catch(() => {})
    this.#parked.set(id, parked)
    return this.#next(id, parked, signal)
  }

  /** Goes on with a parked call. Throws `not_found` when it is not here any more. */
  resume(user: string, retry: CallRetry, signal: AbortSignal): Promise<RawAnswer> {
    const [, instance, id = ''] = String(retry.requestState).split(':')
    const parked = this.#parked.get(id)
    if (instance !== this.#instance || parked === undefined || parked.user !== user)
      throw new AppError('not_found', 'The call that this state stands for is over.')
    clearTimeout(parked.timer)
    for (const [key, result] of Object.entries(retry.inputResponses ?? {})) {
      parked.questions.get(key)?.resolve(result)
      parked.questions.delete(key)
    }
    return this.#next(id, parked, signal)
  }

  async #next(id: string, parked: Parked, signal: AbortSignal): Promise<RawAnswer> {
    const onAbort = () => parked.stop.abort(signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
    const asked = new Promise<'asked'>((resolve) => {
      parked.wake = () => resolve('asked')
    })
    if (parked.questions.size > 0) parked.wake()
    try {
      const first = await Promise.race([parked.done, asked])
      if (first === 'asked') return this.#park(id, parked)
      this.#parked.delete(id)
      return first
    } catch (error) {
      this.#parked.delete(id)
      throw error
    } finally {
      signal.removeEventListener('abort', onAbort)
    }
  }

  #park(id: string, parked: Parked): RawAnswer {
    parked.timer = setTimeout(() => {
      this.#parked.delete(id)
      parked.stop.abort(new AppError('timeout', 'Nobody answered what the server asked.'))
    }, this.#patienceMs)
    const inputRequests = Object.fromEntries(
      [...parked.questions].map(([key, { ask }]) => [key, { method: ask.method, params: ask.params }]),
    )
    const requestState = `${PREFIX}:${this.#instance}:${id}`
    return { result: { resultType: 'input_required', inputRequests, requestState }, bytes: undefined }
  }
}
