import { AppError } from '@althing/protocol/errors'
import { type Clock, systemClock } from '../clock.ts'

const PATIENCE_MS = 10_000
const PAUSE_MS = 200

/** Tries again for ten seconds while nobody serves it; that means that nothing was delivered. */
export async function patiently<T>(
  work: () => Promise<T>,
  signal: AbortSignal,
  clock: Clock = systemClock,
): Promise<T> {
  const deadline = clock.monotonic() + PATIENCE_MS
  for (;;) {
    try {
      return await work()
    } catch (error) {
      const nobody = error instanceof AppError && error.code === 'unavailable'
      if (!nobody || clock.monotonic() > deadline) throw error
      await clock.sleep(PAUSE_MS, signal)
    }
  }
}
