import { randomUUIDv7 } from 'node:crypto'
import { AppError } from '@althing/protocol/errors'
import type { Actor } from '@althing/protocol/model/actor'
import type { Schedule, ScheduleDraft } from '@althing/protocol/model/schedule'
import type { Clock } from '@althing/runtime/clock'
import type { TicDb } from '../db/tables.ts'
import { mustBeCron } from '../schedules/cron.ts'
import { scheduleView } from '../schedules/views.ts'

const MOST_SCHEDULES = 100

export function createSchedule({ db, clock }: { db: TicDb; clock: Clock }) {
  return async ({ actor, draft }: { actor: Actor; draft: ScheduleDraft }): Promise<Schedule> => {
    if (actor.role === 'auditor') throw new AppError('forbidden', 'An auditor may look, and change nothing.')
    const now = new Date(clock.now())
    const times = mustBeCron(draft.cron, draft.time_zone, now)
    const { count } = await db
      .selectFrom('cron_schedules')
      .select((eb) => eb.fn.countAll<string>().as('count'))
      .where('user_id', '=', actor.user)
      .executeTakeFirstOrThrow()
    if (Number(count) >= MOST_SCHEDULES) {
      throw new AppError('conflict', `A person has at most ${MOST_SCHEDULES} schedules.`)
    }
    const row = await db
      .insertInto('cron_schedules')
      .values({
        id: randomUUIDv7(),
        user_id: actor.user,
        role: actor.role,
        ...draft,
        next_run_at: draft.enabled ? (times.next(now) ?? null) : null,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    return scheduleView(row, undefined, now)
  }
}
