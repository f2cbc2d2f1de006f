import * as z from 'zod'
import { Id, Timestamp, UserId } from './ids.ts'
import { JsonValue } from './json.ts'

/** What a server pushed, as it crosses the bus. `id` is made by the gateway and is the event's id for good. */
export const ServerEvent = z
  .object({
    id: Id,
    server_id: Id,
    server: z.string(),
    owner: UserId,
    method: z.string().max(256),
    payload: JsonValue,
    received_at: Timestamp,
    dedup_key: z.string().max(256).optional(),
  })
  .meta({ id: 'ServerEvent' })
export type ServerEvent = z.infer<typeof ServerEvent>

/** Events of one connection, in the order they came. */
export const ServerEventBatch = z
  .object({ events: z.array(ServerEvent).min(1).max(500) })
  .meta({ id: 'ServerEventBatch' })
export type ServerEventBatch = z.infer<typeof ServerEventBatch>

export const EventState = z.enum(['pending', 'claimed', 'settled', 'dead']).meta({ id: 'EventState' })
export const Verdict = z.enum(['notify', 'ignore', 'missing']).meta({ id: 'Verdict' })

/** An event with its receipt so far. */
export const Event = z
  .object({
    id: Id,
    server: z.string(),
    method: z.string(),
    payload: JsonValue,
    received_at: Timestamp,
    state: EventState,
    verdict: Verdict.optional(),
    reason: z.string().optional(),
    rule_id: Id.optional(),
    batch_id: Id.optional(),
    briefing_id: Id.optional(),
    seen_at: Timestamp.optional(),
  })
  .meta({ id: 'Event' })
export type Event = z.infer<typeof Event>

export const Batch = z
  .object({
    id: Id,
    state: z.enum(['running', 'settled', 'failed', 'dead']),
    event_count: z.int(),
    briefing_count: z.int(),
    attempts: z.int(),
    error: z.string().optional(),
    started_at: Timestamp,
    ended_at: Timestamp.optional(),
  })
  .meta({ id: 'Batch' })
export type Batch = z.infer<typeof Batch>
