/** Failures of a batch after which it is halved, and of a single event after which it is given up. */
const HALVE_AFTER = 3
const DEAD_AFTER = 5
const MOST_EVENTS = 50

/** Milliseconds until a failed run is tried again: doubling. */
export function retryDelay(failures: number, firstMs: number, longestMs: number): number {
  return Math.min(longestMs, firstMs * 2 ** Math.max(0, failures - 1))
}

/** How many events the next batch may hold when its oldest event was in that many failed ones: halves close in on a bad event. */
export function batchSize(attempts: number): number {
  const halvings = Math.max(0, attempts - HALVE_AFTER + 1)
  return Math.max(1, Math.floor(MOST_EVENTS / 2 ** (halvings * 3)))
}

export function isDead(attempts: number, eventCount: number): boolean {
  return eventCount === 1 && attempts >= DEAD_AFTER
}
