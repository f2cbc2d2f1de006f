import type { Clock } from '@althing/runtime/clock'
import type { Log } from '@althing/runtime/log'

const EVERY_MS = 60_000

/** Runs small clean-ups, at once and every minute, until disposed. One that fails costs a line in the log. */
export class Housekeeping implements AsyncDisposable {
  readonly #stopping = new AbortController()
  readonly #done: Promise<void>

  constructor(clock: Clock, log: Log, works: readonly (() => Promise<void>)[]) {
    this.#done = this.#run(clock, log, works)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort()
    await this.#done
  }

  async #run(clock: Clock, log: Log, works: readonly (() => Promise<void>)[]): Promise<void> {
    const { signal } = this.#stopping
    while (!signal.aborted) {
      for (const work of works) await work().catch((error) => log.warn({ err: error }, 'a clean-up failed'))
      await clock.sleep(EVERY_MS, signal).catch(() => {})
    }
  }
}
