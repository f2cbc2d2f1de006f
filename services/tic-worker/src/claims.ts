/** Lets somebody wait for the next batch of a person without asking the database. */
export class Claims {
  readonly #waiting = new Map<string, Set<(batch: string) => void>>()

  announce(user: string, batch: string): void {
    for (const resolve of this.#waiting.get(user) ?? []) resolve(batch)
  }

  next(user: string, withinMs: number): Promise<string | undefined> {
    return new Promise((resolve) => {
      const waiting = this.#waiting.get(user) ?? new Set()
      this.#waiting.set(user, waiting)
      const end = (batch: string | undefined) => {
        clearTimeout(timer)
        waiting.delete(end)
        if (waiting.size === 0) this.#waiting.delete(user)
        resolve(batch)
      }
      const timer = setTimeout(() => end(undefined), withinMs)
      waiting.add(end)
    })
  }
}
