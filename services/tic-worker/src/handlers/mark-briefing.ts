import { AppError } from '@althing/protocol/errors'
import type { Actor } from '@althing/protocol/model/actor'
import type { Briefing } from '@althing/protocol/model/briefing'
import type { LiveEvent } from '@althing/protocol/model/live'
import { sql } from 'kysely'
import { countOpen } from '../batch.ts'
import type { TicDb } from '../db/tables.ts'
import { briefingView } from '../db/views.ts'
import { eventsOf } from './list-briefings.ts'

interface MarkDeps {
  readonly db: TicDb
  readonly tell: (user: string, event: LiveEvent) => void
}

type Input = { actor: Actor; briefing: string; state: 'read' | 'done' }

export function markBriefing({ db, tell }: MarkDeps) {
  return async ({ actor, briefing, state }: Input): Promise<Briefing> => {
    const row = await db.transaction().execute(async (trx) => {
      const marked = await trx
        .updateTable('briefings')
        .set({ state })
        .where('id', '=', briefing)
        .where('user_id', '=', actor.user)
        .returningAll()
        .executeTakeFirst()
      if (marked === undefined) throw new AppError('not_found', 'There is no such briefing.')
      await trx
        .updateTable('events')
        .set({ seen_at: sql`now()` })
        .where('briefing_id', '=', briefing)
        .where('seen_at', 'is', null)
        .execute()
      return marked
    })
    tell(actor.user, { type: 'inbox.changed', data: { total: await countOpen(db, actor.user) } })
    return briefingView(row, (await eventsOf(db, [briefing])).get(briefing) ?? [])
  }
}
