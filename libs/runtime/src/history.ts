import type { EventContract, Params } from '@althing/protocol/define'
import { DeliverPolicy, jetstream, jetstreamManager } from '@nats-io/jetstream'
import type * as z from 'zod'
import type { Bus } from './bus/bus.ts'
import { decode } from './bus/frames.ts'
import { invariant } from './errors.ts'

const FIRST_STEP = 4096
const FETCH_MS = 2000

/**
 * The last payloads of one subject that its stream still holds, oldest first, at least `wanted` messages if there
 * are that many. Steps back through the stream until enough of this subject lie ahead.
 */
export async function readHistory<S extends string, P extends z.ZodType>(
  bus: Bus,
  contract: EventContract<S, P>,
  at: Params<S>,
  wanted: number,
): Promise<z.output<P>[]> {
  invariant(contract.stream !== null, `${contract.name} has no stream`)
  const stream = contract.stream.name
  const manager = await jetstreamManager(bus.nats, { checkAPI: false })
  const { state } = await manager.streams.info(stream)
  if (state.messages === 0) return []
  const filter = (contract.subject.at as (params: Params<S>) => string)(at)
  for (let step = FIRST_STEP; ; step *= 8) {
    const start = Math.max(state.first_seq, state.last_seq - step)
    const consumer = await jetstream(bus.nats).consumers.get(stream, {
      filter_subjects: filter,
      deliver_policy: DeliverPolicy.StartSequence,
      opt_start_seq: start,
    })
    const { num_pending: pending } = await consumer.info()
    if (pending < wanted && start > state.first_seq) {
      await consumer.delete()
      continue
    }
    const payloads: z.output<P>[] = []
    if (pending > 0) {
      const messages = await consumer.fetch({ max_messages: pending, expires: FETCH_MS })
      for await (const message of messages) {
        const parsed = contract.payload.safeParse(decode(message.data))
        if (parsed.success) payloads.push(parsed.data)
        if (payloads.length >= pending) break
      }
    }
    await consumer.delete().catch(() => false)
    return payloads
  }
}
