const QUIET_MS = 5 * 60_000
const WINDOW_MS = 60 * 60_000
const MOST_FAILURES = 10
const JITTER = 0.2
/** What ran this long and ends for the first time is started again at once: most likely somebody killed it. */
const HEALTHY_MS = 2_000
const AT_ONCE_MS = 20

export interface BackoffOptions {
  readonly firstMs: number
  readonly longestMs: number
  /** From 0 to 1. */
  readonly random: () => number
}

/**
 * How long to wait before the next start: doubling, with jitter. Only a long quiet run resets it, so that a server
 * that shakes hands and dies does not storm; more than ten failures in an hour end it.
 */
export class Backoff {
  readonly #options: BackoffOptions
  #failures: number[] = []

  constructor(options: BackoffOptions) {
    this.#options = options
  }

  /** Milliseconds to wait after a failure now, of something that ran for `ranMs`; undefined: give up. */
  afterFailure(now: number, ranMs: number): number | undefined {
    if (ranMs >= QUIET_MS) this.#failures = []
    this.#failures = [...this.#failures.filter((at) => at > now - WINDOW_MS), now]
    if (this.#failures.length > MOST_FAILURES) return undefined
    const { firstMs, longestMs, random } = this.#options
    const alone = this.#failures.length === 1 && ranMs >= HEALTHY_MS
    const plain = alone ? AT_ONCE_MS : Math.min(longestMs, firstMs * 2 ** (this.#failures.length - 1))
    return Math.round(plain * (1 - JITTER + 2 * JITTER * random()))
  }
}
