import { randomUUIDv7 } from 'node:crypto'
import { AppError } from '@althing/protocol/errors'
import type { Actor } from '@althing/protocol/model/actor'
import type { ScheduleRun } from '@althing/protocol/model/schedule'
import type { Clock } from '@althing/runtime/clock'
import { mustFindSchedule } from '../db/schedules.ts'
import type { TicDb } from '../db/tables.ts'
import { runView } from '../schedules/views.ts'

const MOST_OPEN = 5

/** Writes the run down; some worker brings it to the agent at its next look. */
export function runSchedule({ db, clock }: { db: TicDb; clock: Clock }) {
  return async ({ actor, schedule: id }: { actor: Actor; schedule: string }): Promise<ScheduleRun> => {
    const schedule = await mustFindSchedule(db, actor.user, id)
    const { open } = await db
      .selectFrom('schedule_runs')
      .select((eb) => eb.fn.countAll<string>().as('open'))
      .where('schedule_id', '=', id)
      .where('state', 'in', ['waiting', 'running'])
      .executeTakeFirstOrThrow()
    if (Number(open) >= MOST_OPEN)
      throw new AppError('rate_limited', `${MOST_OPEN} runs of it are going already.`)
    const now = new Date(clock.now())
    const row = await db
      .insertInto('schedule_runs')
      .values({
        id: randomUUIDv7(),
        schedule_id: id,
        user_id: schedule.user_id,
        reason: 'manual',
        state: 'waiting',
        due_at: now,
        try_at: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    return runView(row)
  }
}
