import type { Msg, NatsConnection, Subscription } from '@nats-io/transport-node'

export type ReplyHandler = (message: Msg) => void

/**
 * One subscription for every answer this process waits for: cheaper than one per request, and, unlike the
 * client's own muxed inbox, able to take many frames for one question.
 */
export class Replies {
  readonly #prefix: string
  readonly #waiting = new Map<string, ReplyHandler>()
  readonly #subscription: Subscription
  #next = 0

  constructor(nats: NatsConnection, inbox: string) {
    this.#prefix = `${inbox}.`
    this.#subscription = nats.subscribe(`${inbox}.*`, {
      callback: (error, message) => {
        if (error) return
        this.#waiting.get(message.subject.slice(this.#prefix.length))?.(message)
      },
    })
  }

  /** A fresh reply subject. The caller must `release` it. */
  expect(handler: ReplyHandler): string {
    const token = (this.#next++).toString(36)
    this.#waiting.set(token, handler)
    return this.#prefix + token
  }

  release(reply: string): void {
    this.#waiting.delete(reply.slice(this.#prefix.length))
  }

  get waiting(): number {
    return this.#waiting.size
  }

  close(): void {
    this.#subscription.unsubscribe()
    this.#waiting.clear()
  }
}
