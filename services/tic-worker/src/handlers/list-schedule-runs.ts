import type { Actor } from '@althing/protocol/model/actor'
import type { ScheduleRun } from '@althing/protocol/model/schedule'
import { decodeCursor, pageOf } from '../db/cursor.ts'
import { mustFindSchedule } from '../db/schedules.ts'
import type { TicDb } from '../db/tables.ts'
import { runView } from '../schedules/views.ts'

interface Input {
  readonly actor: Actor
  readonly schedule: string
  readonly page: { readonly limit: number; readonly cursor?: string | undefined }
}

export function listScheduleRuns({ db }: { db: TicDb }) {
  return async ({ actor, schedule, page }: Input): Promise<{ runs: ScheduleRun[]; next_cursor?: string }> => {
    await mustFindSchedule(db, actor.user, schedule)
    let query = db.selectFrom('schedule_runs').selectAll().where('schedule_id', '=', schedule)
    if (page.cursor !== undefined) query = query.where('id', '<', decodeCursor(page.cursor))
    const { rows, next } = pageOf(
      await query
        .orderBy('id', 'desc')
        .limit(page.limit + 1)
        .execute(),
      page.limit,
    )
    return { runs: rows.map(runView), ...(next === undefined ? {} : { next_cursor: next }) }
  }
}
