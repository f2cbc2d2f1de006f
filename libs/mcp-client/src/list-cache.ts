/** What the 2026-07-28 era lets a client keep, by method, with the notification that ends its keeping. */
const CACHEABLE: Readonly<Record<string, string>> = {
  'resources/list': 'notifications/resources/list_changed',
  'resources/templates/list': 'notifications/resources/list_changed',
  'resources/read': 'notifications/resources/updated',
  'prompts/list': 'notifications/prompts/list_changed',
}
const MOST_KEPT = 500
const LARGEST_BYTES = 256 * 1024
const LONGEST_MS = 3_600_000

interface Kept<A> {
  readonly answer: A
  readonly until: number
  readonly endsWith: string
}

/**
 * Answers that a server lets be kept for `ttlMs`. Belongs to one connection and therefore to one principal: what is
 * `private` never reaches another one's cache.
 */
export class ListCache<A extends { readonly result: unknown; readonly bytes: Uint8Array | undefined }> {
  readonly #kept = new Map<string, Kept<A>>()

  get(method: string, params: unknown): A | undefined {
    if (!Object.hasOwn(CACHEABLE, method)) return undefined
    const key = keyOf(method, params)
    const kept = this.#kept.get(key)
    if (kept && kept.until > performance.now()) return kept.answer
    this.#kept.delete(key)
    return undefined
  }

  put(method: string, params: unknown, answer: A): void {
    const endsWith = CACHEABLE[method]
    const { ttlMs } = (answer.result ?? {}) as { ttlMs?: unknown }
    if (endsWith === undefined || typeof ttlMs !== 'number' || !(ttlMs > 0)) return
    if ((answer.bytes?.length ?? 0) > LARGEST_BYTES) return
    const [oldest] = this.#kept.keys()
    if (this.#kept.size >= MOST_KEPT && oldest !== undefined) this.#kept.delete(oldest)
    const until = performance.now() + Math.min(ttlMs, LONGEST_MS)
    this.#kept.set(keyOf(method, params), { answer, until, endsWith })
  }

  /** A notification of the server ends the keeping of what it is about. */
  heard(notification: string): void {
    for (const [key, kept] of this.#kept) if (kept.endsWith === notification) this.#kept.delete(key)
  }
}

function keyOf(method: string, params: unknown): string {
  return `${method} ${JSON.stringify(params)}`
}
