/** One live event: where it stands in its stream, whom it concerns, and how it looks on the wire. */
export interface LiveEntry {
  readonly seq: number
  readonly user: string
  /** Milliseconds since 1970. */
  readonly at: number
  readonly text: string
}

/** A place in the live stream. `epoch` tells one life of the stream from the next: both count from one. */
export interface LivePosition {
  readonly epoch: string
  readonly seq: number
}

export interface BacklogLimits {
  readonly maxAgeMs: number
  /** Characters of all entries together. */
  readonly maxSize: number
}

/** The last minutes of the live stream, so that a connection that broke goes on without a gap. */
export class Backlog {
  readonly #limits: BacklogLimits
  #epoch = ''
  /** Everything after this sequence, up to `#head`, is held. */
  #floor = 0
  #head = 0
  #size = 0
  #entries: LiveEntry[] = []
  /** How many of the first entries are dropped; they are cut off in bulk. */
  #dropped = 0

  constructor(limits: BacklogLimits) {
    this.#limits = limits
  }

  get epoch(): string {
    return this.#epoch
  }

  get head(): number {
    return this.#head
  }

  /** Starts over with a stream of which nothing up to `floor` can be had. */
  reset(epoch: string, floor: number): void {
    this.#epoch = epoch
    this.#floor = floor
    this.#head = floor
    this.#size = 0
    this.#entries = []
    this.#dropped = 0
  }

  /** Takes the next event. `again`: it is held already. `gap`: some before it are lost, and so is what was held. */
  add(entry: LiveEntry): 'added' | 'again' | 'gap' {
    if (entry.seq <= this.#head) return 'again'
    const gap = entry.seq > this.#head + 1
    if (gap) this.reset(this.#epoch, entry.seq - 1)
    this.#head = entry.seq
    this.#entries.push(entry)
    this.#size += entry.text.length
    this.#evict(entry.at - this.#limits.maxAgeMs)
    return gap ? 'gap' : 'added'
  }

  /** What came after a position for one of `users`, oldest first. Undefined: not all of it is held. */
  since(position: LivePosition, users: readonly string[]): LiveEntry[] | undefined {
    if (position.epoch !== this.#epoch || position.seq < this.#floor) return undefined
    return this.#entries.slice(this.#indexAfter(position.seq)).filter((entry) => users.includes(entry.user))
  }

  /** The index of the first entry after a sequence. Sequences have no holes, so it can be computed. */
  #indexAfter(seq: number): number {
    return this.#dropped + Math.max(0, seq - this.#floor)
  }

  #evict(oldest: number): void {
    for (;;) {
      const first = this.#entries[this.#dropped]
      if (!first || (first.at >= oldest && this.#size <= this.#limits.maxSize)) break
      this.#floor = first.seq
      this.#size -= first.text.length
      this.#dropped += 1
    }
    if (this.#dropped < 1024 || this.#dropped < this.#entries.length / 2) return
    this.#entries = this.#entries.slice(this.#dropped)
    this.#dropped = 0
  }
}
