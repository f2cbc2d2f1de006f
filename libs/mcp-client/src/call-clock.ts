import { AppError } from '@althing/protocol/errors'

/**
 * The time that one call may take. It stands still while a person is asked something on behalf of the call, but
 * never beyond the cap, which counts from the start whatever happens.
 */
export class CallClock implements Disposable {
  readonly #late = new AbortController()
  readonly #cap: NodeJS.Timeout
  readonly #allowedMs: number
  #leftMs: number
  #timer: NodeJS.Timeout | undefined
  #runningSince = 0
  #pauses = 0

  constructor(allowedMs: number, capMs: number) {
    this.#allowedMs = allowedMs
    this.#leftMs = allowedMs
    this.#cap = setTimeout(() => this.#end(capMs), Math.max(allowedMs, capMs))
    this.#run()
  }

  /** Aborted with a `timeout` AppError when the time is over. */
  get signal(): AbortSignal {
    return this.#late.signal
  }

  /** Stands still until every pause was resumed. */
  pause(): void {
    if (this.#pauses++ > 0) return
    clearTimeout(this.#timer)
    this.#leftMs -= performance.now() - this.#runningSince
  }

  resume(): void {
    if (--this.#pauses === 0) this.#run()
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer)
    clearTimeout(this.#cap)
  }

  #run(): void {
    this.#runningSince = performance.now()
    this.#timer = setTimeout(() => this.#end(this.#allowedMs), Math.max(0, this.#leftMs))
  }

  #end(afterMs: number): void {
    this.#late.abort(new AppError('timeout', `The tool did not answer within ${afterMs} ms.`))
  }
}
