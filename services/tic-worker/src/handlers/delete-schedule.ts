import type { Actor } from '@althing/protocol/model/actor'
import { mustFindSchedule } from '../db/schedules.ts'
import type { TicDb } from '../db/tables.ts'

export function deleteSchedule({ db }: { db: TicDb }) {
  return async ({ actor, schedule }: { actor: Actor; schedule: string }): Promise<Record<string, never>> => {
    await mustFindSchedule(db, actor.user, schedule)
    await db.deleteFrom('cron_schedules').where('id', '=', schedule).execute()
    return {}
  }
}
