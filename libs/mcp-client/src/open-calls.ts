import type { Answerer, Ask } from './ask.ts'
import type { CallClock } from './call-clock.ts'

/** A call in flight, as far as the server may turn back to its caller. */
export interface OpenCall {
  /** Who calls; calls of one caller may see each other's questions, calls of two never. */
  readonly caller: string
  readonly clock: CallClock
  readonly answer: Answerer | undefined
  /** A log message or another notification that belongs to this call alone. */
  readonly onNotification: ((method: string, params: unknown) => void) | undefined
}

/**
 * The calls in flight on one connection. The older era gives a server's question no link to a call: it is put to the
 * caller only when nobody else has a call in flight. A server that asked once in a crowd serves one caller at a time
 * from then on, so that the next question finds its caller.
 */
export class OpenCalls {
  /** Each with what ends the questions that are put to it, once there is one. */
  readonly #open = new Map<OpenCall, AbortController | undefined>()
  #oneAtATime = false
  #waiting: (() => void)[] = []

  /** Enters a call and gives the way to leave: at once, or once it may be sent. */
  enter(call: OpenCall, signal: AbortSignal): Disposable | Promise<Disposable> {
    if (this.#oneAtATime && this.#othersThan(call.caller))
      return this.#nextLeave(signal).then(() => this.enter(call, signal))
    this.#open.set(call, undefined)
    return { [Symbol.dispose]: () => this.#leave(call) }
  }

  /** The newest call of the only caller there is. */
  sole(): OpenCall | undefined {
    const newest = [...this.#open.keys()].at(-1)
    return newest && !this.#othersThan(newest.caller) ? newest : undefined
  }

  /** Puts a question to the caller that it must be for, the clocks of that caller's calls standing still meanwhile. */
  async ask(ask: Ask, signal: AbortSignal): Promise<unknown> {
    const call = this.sole()
    if (call?.answer === undefined) {
      if (call === undefined && this.#open.size > 0) this.#oneAtATime = true
      throw new Error(this.#open.size > 1 ? 'it cannot be told which call it is for' : 'nobody can be asked')
    }
    const ended = this.#open.get(call) ?? new AbortController()
    this.#open.set(call, ended)
    const paused = [...this.#open.keys()]
    for (const one of paused) one.clock.pause()
    try {
      return await call.answer(ask, AbortSignal.any([signal, ended.signal]))
    } finally {
      for (const one of paused) one.clock.resume()
    }
  }

  #othersThan(caller: string): boolean {
    for (const call of this.#open.keys()) if (call.caller !== caller) return true
    return false
  }

  #leave(call: OpenCall): void {
    this.#open.get(call)?.abort(new Error('The call is over'))
    this.#open.delete(call)
    const waiting = this.#waiting
    this.#waiting = []
    for (const wake of waiting) wake()
  }

  async #nextLeave(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    await new Promise<void>((resolve) => {
      this.#waiting.push(resolve)
      signal.addEventListener('abort', () => resolve(), { once: true })
    })
    signal.throwIfAborted()
  }
}
