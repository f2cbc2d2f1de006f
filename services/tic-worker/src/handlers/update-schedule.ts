import { AppError } from '@althing/protocol/errors'
import type { Actor } from '@althing/protocol/model/actor'
import type { Schedule, ScheduleChange } from '@althing/protocol/model/schedule'
import type { Clock } from '@althing/runtime/clock'
import { sql } from 'kysely'
import { lastRuns, mustFindSchedule } from '../db/schedules.ts'
import type { TicDb } from '../db/tables.ts'
import { mustBeCron } from '../schedules/cron.ts'
import { scheduleView } from '../schedules/views.ts'

interface Input {
  readonly actor: Actor
  readonly schedule: string
  readonly change: ScheduleChange
}

export function updateSchedule({ db, clock }: { db: TicDb; clock: Clock }) {
  return async ({ actor, schedule: id, change }: Input): Promise<Schedule> => {
    if (actor.role === 'auditor') throw new AppError('forbidden', 'An auditor may look, and change nothing.')
    const now = new Date(clock.now())
    const row = await db.transaction().execute(async (trx) => {
      await trx.selectFrom('cron_schedules').select('id').where('id', '=', id).forUpdate().execute()
      const before = await mustFindSchedule(trx, actor.user, id)
      const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
      const after = { ...before, ...(given as Partial<typeof before>) }
      const times = mustBeCron(after.cron, after.time_zone, now)
      const moved =
        after.cron !== before.cron ||
        after.time_zone !== before.time_zone ||
        after.enabled !== before.enabled ||
        before.next_run_at === null
      return trx
        .updateTable('cron_schedules')
        .set({
          ...given,
          role: actor.role,
          updated_at: sql`now()`,
          ...(moved ? { next_run_at: after.enabled ? (times.next(now) ?? null) : null } : {}),
        })
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirstOrThrow()
    })
    return scheduleView(row, (await lastRuns(db, [id])).get(id), now)
  }
}
