import * as z from 'zod'
import { Id, Timestamp } from './ids.ts'
import { TimeZone } from './time-zone.ts'

/** Minute, hour, day of month, month, day of week; or `@daily` and the like. Whether it ever comes is checked by its owner. */
const Cron = z.string().trim().min(1).max(200)

/** What a run that was due while nothing worked becomes: nothing, or one run for all that were missed. */
export const MissedPolicy = z.enum(['skip', 'run_once']).meta({ id: 'MissedPolicy' })

const fields = {
  name: z.string().trim().min(1).max(100),
  cron: Cron,
  time_zone: TimeZone,
  prompt: z.string().trim().min(1).max(20_000),
  agent: z.string().min(1).max(64),
  enabled: z.boolean(),
  missed: MissedPolicy,
}

export const ScheduleDraft = z
  .strictObject({
    ...fields,
    time_zone: fields.time_zone.default('UTC'),
    agent: fields.agent.default('main'),
    enabled: fields.enabled.default(true),
    missed: fields.missed.default('skip'),
  })
  .meta({ id: 'ScheduleDraft' })
export type ScheduleDraft = z.infer<typeof ScheduleDraft>

export const ScheduleChange = z.strictObject(fields).partial().meta({ id: 'ScheduleChange' })
export type ScheduleChange = z.infer<typeof ScheduleChange>

export const ScheduleRunState = z
  .enum(['waiting', 'running', 'done', 'failed', 'stopped', 'skipped'])
  .meta({ id: 'ScheduleRunState' })
export type ScheduleRunState = z.infer<typeof ScheduleRunState>

/** `skipped`: it was due while nothing worked, and the schedule says to leave that out. */
export const ScheduleRun = z
  .object({
    id: Id,
    schedule_id: Id,
    reason: z.enum(['due', 'missed', 'manual']),
    state: ScheduleRunState,
    due_at: Timestamp,
    session_id: Id.optional(),
    error: z.string().optional(),
    ended_at: Timestamp.optional(),
  })
  .meta({ id: 'ScheduleRun' })
export type ScheduleRun = z.infer<typeof ScheduleRun>

/** `next_runs` are the next five; none while it is not enabled. */
export const Schedule = z
  .object({
    id: Id,
    ...fields,
    next_runs: z.array(Timestamp),
    last_run: ScheduleRun.optional(),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'Schedule' })
export type Schedule = z.infer<typeof Schedule>
