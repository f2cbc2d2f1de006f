import type { Clock } from '@althing/runtime/clock'
import type { Log } from '@althing/runtime/log'

export interface RoundOptions {
  readonly what: string
  readonly everyMs: number
  readonly clock: Clock
  readonly log: Log
  /** One round; true: there may be more to do at once. */
  readonly round: (signal: AbortSignal) => Promise<boolean>
}

/** Does a round of work again and again until it is disposed; a round that fails is followed by the next. */
export function rounds({ what, everyMs, clock, log, round }: RoundOptions): AsyncDisposable {
  const stopping = new AbortController()
  const { signal } = stopping
  const loop = async (): Promise<void> => {
    while (!signal.aborted) {
      let more = false
      try {
        more = await round(signal)
      } catch (error) {
        if (!signal.aborted) log.warn({ err: error }, `${what}: a round failed`)
      }
      if (!more) await clock.sleep(everyMs, signal).catch(() => {})
    }
  }
  const done = loop()
  return {
    async [Symbol.asyncDispose]() {
      stopping.abort()
      await done
    },
  }
}
