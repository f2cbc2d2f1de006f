import type { NatsConnection } from '@nats-io/transport-node'
import type { Log } from '../log.ts'

/** Tells the log what happens to the connection, for as long as it is there. */
export function watchStatus(nats: NatsConnection, log: Log): void {
  void (async () => {
    for await (const status of nats.status()) {
      if (status.type === 'error') log.error({ err: status.error }, 'the bus refused something')
      else if (status.type === 'disconnect') log.warn('the bus is gone; reconnecting')
      else if (status.type === 'reconnect') log.info('the bus is back')
    }
  })()
}
