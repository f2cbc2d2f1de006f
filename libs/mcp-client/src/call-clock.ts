import { AppError } from '@althing/protocol/errors'

/**
 * The time that one call may take. It stands still while a person is asked something on behalf of the call, but
 * never beyond the cap, which counts from the start whatever happens. One timer and one signal, because every call
 * pays for them.
 */
export class CallClock implements Disposable {
  readonly #end = new AbortController()
  readonly #caller: AbortSignal
  readonly #allowedMs: number
  readonly #capAt: number
  #leftMs: number
  #timer: NodeJS.Timeout | undefined
  #runningSince = 0
  #pauses = 0

  /** `caller` ends the call before its time. */
  constructor(allowedMs: number, capMs: number, caller: AbortSignal) {
    this.#allowedMs = allowedMs
    this.#leftMs = allowedMs
    this.#capAt = performance.now() + Math.max(allowedMs, capMs)
    this.#caller = caller
    if (caller.aborted) this.#onCaller()
    else caller.addEventListener('abort', this.#onCaller, { once: true })
    this.#run()
  }

  /** Aborted with a `timeout` AppError when the time is over, or with the caller's reason. */
  get signal(): AbortSignal {
    return this.#end.signal
  }

  /** Stands still until every pause was resumed. */
  pause(): void {
    if (this.#pauses++ > 0) return
    clearTimeout(this.#timer)
    const now = performance.now()
    this.#leftMs -= now - this.#runningSince
    this.#timer = setTimeout(() => this.#late(), Math.max(0, this.#capAt - now))
  }

  resume(): void {
    if (--this.#pauses > 0) return
    clearTimeout(this.#timer)
    this.#run()
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer)
    this.#caller.removeEventListener('abort', this.#onCaller)
  }

  #run(): void {
    this.#runningSince = performance.now()
    const leftMs = Math.min(this.#leftMs, this.#capAt - this.#runningSince)
    this.#timer = setTimeout(() => this.#late(), Math.max(0, leftMs))
  }

  readonly #onCaller = (): void => this.#end.abort(this.#caller.reason)

  #late(): void {
    this.#end.abort(new AppError('timeout', `The tool did not answer within ${this.#allowedMs} ms.`))
  }
}
