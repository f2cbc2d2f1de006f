import { setTimeout as wait } from 'node:timers/promises'

const LOOK_EVERY_MS = 25

/** Looks until `condition` gives something, and gives that. Fails with `what` after `withinMs`. */
export async function until<T>(
  what: string,
  condition: () => Promise<T | undefined | false> | T | undefined | false,
  withinMs = 20_000,
): Promise<T> {
  const deadline = performance.now() + withinMs
  let last: unknown
  for (;;) {
    try {
      const found = await condition()
      if (found !== undefined && found !== false) return found
    } catch (error) {
      last = error
    }
    if (performance.now() > deadline) throw new Error(`not within ${withinMs} ms: ${what}`, { cause: last })
    await wait(LOOK_EVERY_MS)
  }
}
