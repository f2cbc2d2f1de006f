import type { MsgHdrs, NatsConnection } from '@nats-io/transport-node'

interface Letter {
  readonly subject: string
  readonly body: Uint8Array
  readonly reply: string | undefined
  readonly headers: MsgHdrs | undefined
}

/**
 * What a process says within one turn of its event loop leaves in one write to the socket: with many calls in flight
 * the writes, not the messages, are what costs. The order is kept.
 */
export class Outbox {
  readonly #nats: NatsConnection
  #letters: Letter[] = []

  constructor(nats: NatsConnection) {
    this.#nats = nats
  }

  /** Never throws: once the connection is closed there is nobody left to tell. */
  publish(
    subject: string,
    body: Uint8Array,
    { reply, headers }: { reply?: string; headers?: MsgHdrs } = {},
  ): void {
    this.#letters.push({ subject, body, reply, headers })
    if (this.#letters.length === 1) setImmediate(() => this.flush())
  }

  flush(): void {
    const letters = this.#letters
    this.#letters = []
    if (this.#nats.isClosed()) return
    for (const { subject, body, reply, headers } of letters) {
      this.#nats.publish(subject, body, {
        ...(reply === undefined ? {} : { reply }),
        ...(headers === undefined ? {} : { headers }),
      })
    }
  }
}
