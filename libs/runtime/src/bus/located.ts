import { AppError } from '@althing/protocol/errors'
import { type Clock, systemClock } from '../clock.ts'

interface Known<A> {
  readonly address: A
  readonly until: number
}

export interface LocatedOptions {
  /** Milliseconds an address is believed without asking again. */
  readonly believeMs: number
  /** Milliseconds to go on asking while nobody serves the address. */
  readonly patienceMs: number
  readonly pauseMs: number
  readonly clock?: Clock
}

const DEFAULTS: LocatedOptions = { believeMs: 30_000, patienceMs: 10_000, pauseMs: 200 }

/**
 * Work at an address that moves. `unavailable` means that nothing was delivered, so the address is asked for anew
 * and the work tried again until the patience ends; every other error is the work's own.
 */
export class Located<K, A> {
  readonly #locate: (key: K) => Promise<A>
  readonly #name: (key: K) => string
  readonly #options: LocatedOptions
  readonly #known = new Map<string, Known<A>>()

  constructor(
    locate: (key: K) => Promise<A>,
    name: (key: K) => string,
    options: Partial<LocatedOptions> = {},
  ) {
    this.#locate = locate
    this.#name = name
    this.#options = { ...DEFAULTS, ...options }
  }

  async run<T>(key: K, work: (address: A) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const { patienceMs, pauseMs, clock = systemClock } = this.#options
    const name = this.#name(key)
    const deadline = clock.monotonic() + patienceMs
    for (;;) {
      try {
        return await work(await this.#addressOf(key, name))
      } catch (error) {
        this.#known.delete(name)
        if (!(error instanceof AppError) || error.code !== 'unavailable' || clock.monotonic() > deadline)
          throw error
        await clock.sleep(pauseMs, signal)
      }
    }
  }

  async #addressOf(key: K, name: string): Promise<A> {
    const { believeMs, clock = systemClock } = this.#options
    const known = this.#known.get(name)
    if (known && known.until > clock.monotonic()) return known.address
    const address = await this.#locate(key)
    this.#known.set(name, { address, until: clock.monotonic() + believeMs })
    return address
  }
}
