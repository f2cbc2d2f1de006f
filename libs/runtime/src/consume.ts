import type { EventContract } from '@althing/protocol/define'
import type { AppError } from '@althing/protocol/errors'
import {
  AckPolicy,
  type Consumer,
  DeliverPolicy,
  type JsMsg,
  jetstream,
  jetstreamManager,
} from '@nats-io/jetstream'
import { nanos } from '@nats-io/transport-node'
import type * as z from 'zod'
import type { Bus } from './bus/bus.ts'
import { decode } from './bus/frames.ts'
import { type Clock, systemClock } from './clock.ts'
import { asAppError, invariant, logFailure } from './errors.ts'
import type { Log } from './log.ts'

const FIRST_RETRY_MS = 500
const LONGEST_RETRY_MS = 30_000

export interface ConsumeOptions<P extends z.ZodType> {
  /** The durable name: all replicas share its messages. */
  readonly durable: string
  /** Messages in hand at once, over all of this replica. */
  readonly most: number
  /** Milliseconds after which an unacknowledged message goes to another replica. Work is kept alive meanwhile. */
  readonly ackWaitMs: number
  /** Handles one message; what it did must be durable when it resolves. */
  readonly handle: (payload: z.output<P>) => Promise<void>
  /** Called for a message that can never be handled, before it is given up. */
  readonly onDead: (data: Uint8Array, error: AppError) => Promise<void>
  readonly log: Log
  readonly clock?: Clock
}

/**
 * Consumes an event's stream until disposed. What follows a failure is decided by its retry class alone:
 * `never` is a dead letter, everything else comes again after a wait that doubles.
 */
export async function consume<S extends string, P extends z.ZodType>(
  bus: Bus,
  contract: EventContract<S, P>,
  options: ConsumeOptions<P>,
): Promise<AsyncDisposable> {
  const stream = contract.stream
  invariant(stream !== null, `${contract.name} has no stream`)
  const { durable, most, ackWaitMs, log, clock = systemClock } = options
  const manager = await jetstreamManager(bus.nats, { checkAPI: false })
  const ensure = async (): Promise<Consumer> => {
    await manager.consumers.add(stream.name, {
      durable_name: durable,
      ack_policy: AckPolicy.Explicit,
      ack_wait: nanos(ackWaitMs),
      deliver_policy: DeliverPolicy.All,
      max_ack_pending: 1000,
      filter_subject: contract.subject.wildcard,
    })
    return jetstream(bus.nats).consumers.get(stream.name, durable)
  }
  const stopping = new AbortController()
  const inHand = new Set<Promise<void>>()

  const one = async (message: JsMsg): Promise<void> => {
    const alive = setInterval(() => message.working(), ackWaitMs / 3)
    try {
      const parsed = contract.payload.safeParse(tryDecode(message.data))
      if (parsed.success) await options.handle(parsed.data)
      else await options.onDead(message.data, asAppError(parsed.error))
      message.ack()
    } catch (thrown) {
      const error = asAppError(thrown)
      logFailure(log, error, contract.name)
      if (error.retry === 'never') {
        await options.onDead(message.data, error)
        message.term(error.code)
      } else {
        message.nak(Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** (message.info.deliveryCount - 1)))
      }
    } finally {
      clearInterval(alive)
    }
  }

  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        const messages = await (await ensure()).consume({ max_messages: most })
        const stop = () => messages.stop()
        stopping.signal.addEventListener('abort', stop, { once: true })
        for await (const message of messages) {
          const work = one(message).catch((error) =>
            log.error({ err: error }, `${contract.name}: left for another try`),
          )
          const tracked = work.finally(() => inHand.delete(tracked))
          inHand.add(tracked)
          if (inHand.size >= most) await Promise.race(inHand)
        }
        stopping.signal.removeEventListener('abort', stop)
      } catch (error) {
        if (stopping.signal.aborted) return
        log.warn({ err: error }, `${contract.name}: the stream is not there; trying again`)
        await clock.sleep(FIRST_RETRY_MS, stopping.signal).catch(() => {})
      }
    }
  }
  const running = loop()

  return {
    async [Symbol.asyncDispose]() {
      stopping.abort()
      await running
      await Promise.allSettled(inHand)
    },
  }
}

function tryDecode(bytes: Uint8Array): unknown {
  try {
    return decode(bytes)
  } catch {
    return undefined
  }
}
