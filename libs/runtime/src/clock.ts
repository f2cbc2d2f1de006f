/** Time as a service sees it. Tests give a manual one; nothing else of ours is ever faked but the model. */
export interface Clock {
  /** Milliseconds since 1970, for timestamps. */
  now(): number
  /** Milliseconds that only grow, for deadlines: setting the machine's clock does not move them. */
  monotonic(): number
  /** Resolves after `ms`; rejects with the signal's reason when it is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      const onAbort = () => {
        clearTimeout(timer)
        reject(signal?.reason)
      }
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', onAbort)
        resolve()
      }, ms)
      signal?.addEventListener('abort', onAbort, { once: true })
    }),
}

export function isoNow(clock: Clock): string {
  return new Date(clock.now()).toISOString()
}

interface Sleeper {
  readonly at: number
  wake(): void
}

/** A clock that stands still until it is advanced. */
export class ManualClock implements Clock {
  #now: number
  readonly #start: number
  readonly #sleepers = new Set<Sleeper>()

  constructor(start = Date.UTC(2026, 0, 1)) {
    this.#now = start
    this.#start = start
  }

  now(): number {
    return this.#now
  }

  monotonic(): number {
    return this.#now - this.#start
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      const sleeper: Sleeper = { at: this.#now + ms, wake: resolve }
      this.#sleepers.add(sleeper)
      signal?.addEventListener(
        'abort',
        () => {
          this.#sleepers.delete(sleeper)
          reject(signal.reason)
        },
        { once: true },
      )
    })
  }

  /** Moves time on by `ms` and wakes, in order, whoever slept until then. */
  advance(ms: number): void {
    this.#now += ms
    const due = [...this.#sleepers].filter((sleeper) => sleeper.at <= this.#now).sort((a, b) => a.at - b.at)
    for (const sleeper of due) {
      this.#sleepers.delete(sleeper)
      sleeper.wake()
    }
  }
}
