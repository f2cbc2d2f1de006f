import { AppError } from '@althing/protocol/errors'
import type { ScheduleRow, ScheduleRunRow } from './schedule-tables.ts'
import type { TicDb } from './tables.ts'

/** A schedule of this person; another person's is as good as none. */
export async function mustFindSchedule(db: TicDb, user: string, id: string): Promise<ScheduleRow> {
  const row = await db
    .selectFrom('cron_schedules')
    .selectAll()
    .where('id', '=', id)
    .where('user_id', '=', user)
    .executeTakeFirst()
  if (row === undefined) throw new AppError('not_found', 'There is no such schedule.')
  return row
}

export async function lastRuns(
  db: TicDb,
  schedules: readonly string[],
): Promise<ReadonlyMap<string, ScheduleRunRow>> {
  if (schedules.length === 0) return new Map()
  const rows = await db
    .selectFrom('schedule_runs')
    .distinctOn('schedule_id')
    .selectAll()
    .where('schedule_id', 'in', schedules)
    .orderBy('schedule_id')
    .orderBy('id', 'desc')
    .execute()
  return new Map(rows.map((row) => [row.schedule_id, row]))
}
