import type { LiveEvent } from '@althing/protocol/model/live'

const BATCH_MS = 30

export type Tell = (event: LiveEvent) => void

/** The text of one message as it grows: told in small batches, kept so that it can be written down. */
export class GrowingText {
  readonly #tell: Tell
  readonly #session: string
  readonly #message: string
  #text = ''
  #told = 0
  #timer: NodeJS.Timeout | undefined

  constructor(tell: Tell, session: string, message: string) {
    this.#tell = tell
    this.#session = session
    this.#message = message
  }

  get text(): string {
    return this.#text
  }

  add(text: string): void {
    this.#text += text
    this.#timer ??= setTimeout(() => this.flush(), BATCH_MS)
  }

  flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#told === this.#text.length) return
    const text = this.#text.slice(this.#told)
    const offset = this.#told
    this.#told = this.#text.length
    this.#tell({
      type: 'message.delta',
      data: { session_id: this.#session, message_id: this.#message, text, offset },
    })
  }
}
