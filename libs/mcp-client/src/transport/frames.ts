const LF = 0x0a
const CR = 0x0d
const BOM = Buffer.from([0xef, 0xbb, 0xbf])
/** What is kept of a line that is too long: enough of both ends to find the id in it. */
const KEPT = 4096

export interface FrameHandlers {
  /** A whole line, without its end. Empty lines are not told. */
  readonly onLine: (line: Buffer) => void
  /** A line above the limit: its first and last bytes, and its length. The rest was thrown away as it came. */
  readonly onTooLong: (head: Buffer, tail: Buffer, bytes: number) => void
}

/** Cuts a byte stream into lines. Works on bytes, so that a character cut by a chunk's border stays whole. */
export class Frames {
  readonly #most: number
  readonly #handlers: FrameHandlers
  #parts: Buffer[] = []
  #bytes = 0
  #tail: Buffer = Buffer.alloc(0)
  #first = true

  constructor(most: number, handlers: FrameHandlers) {
    this.#most = most
    this.#handlers = handlers
  }

  push(chunk: Buffer): void {
    let start = 0
    for (let end = chunk.indexOf(LF); end !== -1; end = chunk.indexOf(LF, start)) {
      this.#keep(chunk.subarray(start, end))
      this.#finish()
      start = end + 1
    }
    if (start < chunk.length) this.#keep(chunk.subarray(start))
  }

  /** What came after the last line end, when the stream is over. */
  end(): void {
    if (this.#bytes > 0) this.#finish()
  }

  #keep(part: Buffer): void {
    this.#bytes += part.length
    if (this.#bytes <= this.#most) {
      this.#parts.push(part)
      return
    }
    // Over the limit only the first part and a rolling tail are kept, whatever length the line has in the end.
    if (this.#parts.length > 1) this.#parts = [Buffer.from(Buffer.concat(this.#parts).subarray(0, KEPT))]
    this.#tail = Buffer.from(Buffer.concat([this.#tail, part.subarray(-KEPT)]).subarray(-KEPT))
  }

  #finish(): void {
    const bytes = this.#bytes
    const line = this.#parts.length === 1 ? (this.#parts[0] ?? Buffer.alloc(0)) : Buffer.concat(this.#parts)
    const tail = this.#tail
    this.#parts = []
    this.#bytes = 0
    this.#tail = Buffer.alloc(0)
    if (bytes > this.#most) {
      this.#handlers.onTooLong(line.subarray(0, KEPT), tail, bytes)
      return
    }
    const clean = trimmed(this.#first && line.indexOf(BOM) === 0 ? line.subarray(BOM.length) : line)
    this.#first = false
    if (clean.length > 0) this.#handlers.onLine(clean)
  }
}

function trimmed(line: Buffer): Buffer {
  return line.at(-1) === CR ? line.subarray(0, -1) : line
}
