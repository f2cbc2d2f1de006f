import type { LogLine } from '@althing/protocol/model/log'
import { type Clock, isoNow } from '@althing/runtime/clock'
import { cleanText } from '@althing/runtime/db'

const LONGEST_TEXT = 8 * 1024
const BATCH_LINES = 100
const BATCH_MS = 50
const MOST_A_SECOND = 2_000
const LIVE_A_SECOND = 20

export interface ServerLogOptions {
  readonly clock: Clock
  /** Values that are replaced by `***`. */
  readonly masked: readonly string[]
  readonly publish: (lines: LogLine[]) => void
  /** A line for open pages: a sample when many come at once. */
  readonly onLive: (line: LogLine) => void
}

/** The log of one server: one record a line, secrets masked, sent in batches, bounded per second. */
export class ServerLog {
  readonly #options: ServerLogOptions
  #batch: LogLine[] = []
  #timer: NodeJS.Timeout | undefined
  #second = 0
  #inSecond = 0
  #dropped = 0

  constructor(options: ServerLogOptions) {
    this.#options = options
  }

  write(tag: string, text: string): void {
    const { clock, onLive } = this.#options
    const second = Math.floor(clock.now() / 1000)
    if (second !== this.#second) {
      if (this.#dropped > 0)
        this.#push(
          'lifecycle',
          `${this.#dropped} lines were dropped: more than ${MOST_A_SECOND} came within a second`,
        )
      this.#second = second
      this.#inSecond = 0
      this.#dropped = 0
    }
    if (++this.#inSecond > MOST_A_SECOND) {
      this.#dropped++
      return
    }
    const line = this.#push(tag, text)
    if (this.#inSecond <= LIVE_A_SECOND) onLive(line)
  }

  flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const lines = this.#batch
    this.#batch = []
    if (lines.length > 0) this.#options.publish(lines)
  }

  #push(tag: string, text: string): LogLine {
    const line = { at: isoNow(this.#options.clock), tag, text: oneLine(mask(text, this.#options.masked)) }
    this.#batch.push(line)
    if (this.#batch.length >= BATCH_LINES) this.flush()
    else this.#timer ??= setTimeout(() => this.flush(), BATCH_MS)
    return line
  }
}

/** Longest first: a secret that begins with another must not leave its end behind. */
export function mask(text: string, values: readonly string[]): string {
  return values
    .toSorted((one, other) => other.length - one.length)
    .reduce((masked, value) => masked.replaceAll(value, '***'), text)
}

/** One record is one line: control characters are shown as escapes, what is too long is cut. */
export function oneLine(text: string): string {
  const cut =
    text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)} ... (${text.length} characters)` : text
  return cleanText(cut).replaceAll(/\p{Cc}/gu, (character) => {
    if (character === '\t') return '\\t'
    if (character === '\n') return '\\n'
    if (character === '\r') return '\\r'
    return `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`
  })
}
