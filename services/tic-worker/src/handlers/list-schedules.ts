import type { Actor } from '@althing/protocol/model/actor'
import type { Schedule } from '@althing/protocol/model/schedule'
import type { Clock } from '@althing/runtime/clock'
import { lastRuns } from '../db/schedules.ts'
import type { TicDb } from '../db/tables.ts'
import { scheduleView } from '../schedules/views.ts'

export function listSchedules({ db, clock }: { db: TicDb; clock: Clock }) {
  return async ({ actor }: { actor: Actor }): Promise<{ schedules: Schedule[] }> => {
    const rows = await db
      .selectFrom('cron_schedules')
      .selectAll()
      .where('user_id', '=', actor.user)
      .orderBy('id')
      .execute()
    const runs = await lastRuns(
      db,
      rows.map((row) => row.id),
    )
    const now = new Date(clock.now())
    return { schedules: rows.map((row) => scheduleView(row, runs.get(row.id), now)) }
  }
}
