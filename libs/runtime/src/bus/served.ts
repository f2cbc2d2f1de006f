import type { Msg, NatsConnection, Subscription } from '@nats-io/transport-node'
import type { Log } from '../log.ts'

export interface Served extends AsyncDisposable {
  /** Takes no more; what is in hand is finished. */
  drain(): Promise<void>
}

/** Hands every message of a subject to `handle`, until drained; what is in hand then is finished. */
export function subscribe(
  nats: NatsConnection,
  log: Log,
  { subject, queue }: { readonly subject: string; readonly queue: string | undefined },
  handle: (message: Msg) => Promise<void>,
): Served {
  const inHand = new Set<Promise<void>>()
  const subscription: Subscription = nats.subscribe(subject, {
    ...(queue === undefined ? {} : { queue }),
    callback: (error, message) => {
      if (error) {
        log.error({ err: error, subject }, 'a subscription failed')
        return
      }
      const work = handle(message).finally(() => inHand.delete(work))
      inHand.add(work)
    },
  })
  const drain = async () => {
    if (!subscription.isClosed()) await subscription.drain()
    await Promise.allSettled(inHand)
  }
  return { drain, [Symbol.asyncDispose]: drain }
}
