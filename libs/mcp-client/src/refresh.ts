/**
 * Runs `work` for any number of calls to `ask`: one at a time, and once more when it was asked for meanwhile. A
 * server that notifies while it is being listed waits longer each time.
 */
export class Refresh {
  readonly #work: () => Promise<void>
  #running = false
  #again = false
  #pauseMs = 0
  #timer: NodeJS.Timeout | undefined
  #stopped = false

  constructor(work: () => Promise<void>) {
    this.#work = work
  }

  ask(): void {
    if (this.#stopped) return
    if (this.#running || this.#timer !== undefined) {
      this.#again = true
      return
    }
    void this.#run()
  }

  stop(): void {
    this.#stopped = true
    clearTimeout(this.#timer)
  }

  async #run(): Promise<void> {
    this.#running = true
    this.#again = false
    await this.#work()
    this.#running = false
    if (!this.#again || this.#stopped) {
      this.#pauseMs = 0
      return
    }
    this.#pauseMs = Math.min(30_000, Math.max(100, this.#pauseMs * 2))
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      void this.#run()
    }, this.#pauseMs)
  }
}
