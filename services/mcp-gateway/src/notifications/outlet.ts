import type { ServerEvent } from '@althing/protocol/model/event'
import type { Clock } from '@althing/runtime/clock'

const MOST_EVENTS = 10_000
const MOST_BYTES = 16 * 1024 * 1024
const MOST_IN_MESSAGE = 500
const MOST_BYTES_IN_MESSAGE = 512 * 1024
const FIRST_RETRY_MS = 100
const LONGEST_RETRY_MS = 5_000

export interface OutletOptions {
  readonly clock: Clock
  /** Stores a batch durably; the same id may be stored again. Rejects when nobody knows whether it was kept. */
  readonly store: (events: readonly ServerEvent[], id: string) => Promise<void>
  /** Events had to be dropped: the bus takes no more and the room here is used up. */
  readonly onDropped: (count: number) => void
}

interface Waiting {
  readonly event: ServerEvent
  readonly bytes: number
}

/**
 * The way of one connection's events to the bus: one durable publish in flight, what came meanwhile goes into the
 * next message. In order, bounded, and sent again under the same id until the bus has it.
 */
export class Outlet {
  readonly #options: OutletOptions
  readonly #stopping = new AbortController()
  #waiting: Waiting[] = []
  #bytes = 0
  #dropped = 0
  #sending: Promise<void> | undefined

  constructor(options: OutletOptions) {
    this.#options = options
  }

  /** Takes an event at once, or counts it as dropped when there is no room. `bytes` is its size on the wire. */
  offer(event: ServerEvent, bytes: number): void {
    if (this.#waiting.length >= MOST_EVENTS || this.#bytes + bytes > MOST_BYTES) {
      if (this.#dropped++ === 0) queueMicrotask(() => this.#tellDropped())
      return
    }
    this.#waiting.push({ event, bytes })
    this.#bytes += bytes
    this.#sending ??= this.#send().finally(() => {
      this.#sending = undefined
    })
  }

  get depth(): number {
    return this.#waiting.length
  }

  /** Sends what is left, for as long as `withinMs` allows. */
  async flush(withinMs: number): Promise<void> {
    const { clock } = this.#options
    const late = clock.sleep(withinMs, this.#stopping.signal).catch(() => {})
    await Promise.race([this.#sending, late])
    this.#stopping.abort()
  }

  async #send(): Promise<void> {
    while (this.#waiting.length > 0 && !this.#stopping.signal.aborted) {
      const batch = this.#take()
      const [first] = batch
      if (first === undefined) return
      const sent = await this.#store(
        batch.map((one) => one.event),
        first.event.id,
      )
      if (!sent) return
      this.#waiting = this.#waiting.slice(batch.length)
      this.#bytes -= batch.reduce((sum, one) => sum + one.bytes, 0)
    }
  }

  #take(): Waiting[] {
    let bytes = 0
    const batch: Waiting[] = []
    for (const one of this.#waiting) {
      if (batch.length > 0 && (batch.length >= MOST_IN_MESSAGE || bytes + one.bytes > MOST_BYTES_IN_MESSAGE))
        break
      batch.push(one)
      bytes += one.bytes
    }
    return batch
  }

  /** Until the bus has it. False when there is no more time. */
  async #store(events: readonly ServerEvent[], id: string): Promise<boolean> {
    const { store, clock } = this.#options
    for (let pause = FIRST_RETRY_MS; ; pause = Math.min(LONGEST_RETRY_MS, pause * 2)) {
      try {
        await store(events, id)
        return true
      } catch {
        if (this.#stopping.signal.aborted) return false
        await clock.sleep(pause, this.#stopping.signal).catch(() => {})
      }
    }
  }

  #tellDropped(): void {
    const { clock, onDropped } = this.#options
    void clock
      .sleep(1000, this.#stopping.signal)
      .catch(() => {})
      .then(() => {
        const count = this.#dropped
        this.#dropped = 0
        if (count > 0) onDropped(count)
      })
  }
}
