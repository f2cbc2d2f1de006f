import type { Actor } from '@althing/protocol/model/actor'
import { decodeCursor, pageOf } from '../db/cursor.ts'
import type { TicDb } from '../db/tables.ts'
import { briefingView } from '../db/views.ts'

interface Input {
  readonly actor: Actor
  readonly page: { readonly limit: number; readonly cursor?: string | undefined }
  readonly open: boolean
}

export function listBriefings({ db }: { db: TicDb }) {
  return async ({ actor, page, open }: Input) => {
    let query = db.selectFrom('briefings').selectAll().where('user_id', '=', actor.user)
    if (open) query = query.where('state', '!=', 'done')
    if (page.cursor !== undefined) query = query.where('id', '<', decodeCursor(page.cursor))
    const { rows, next } = pageOf(
      await query
        .orderBy('id', 'desc')
        .limit(page.limit + 1)
        .execute(),
      page.limit,
    )
    const events = await eventsOf(
      db,
      rows.map((row) => row.id),
    )
    const { unread } = await db
      .selectFrom('briefings')
      .select((eb) => eb.fn.countAll<string>().as('unread'))
      .where('user_id', '=', actor.user)
      .where('state', '=', 'unread')
      .executeTakeFirstOrThrow()
    return {
      briefings: rows.map((row) => briefingView(row, events.get(row.id) ?? [])),
      unread: Number(unread),
      ...(next === undefined ? {} : { next_cursor: next }),
    }
  }
}

export async function eventsOf(db: TicDb, briefings: readonly string[]): Promise<Map<string, string[]>> {
  const byBriefing = new Map<string, string[]>()
  if (briefings.length === 0) return byBriefing
  const rows = await db
    .selectFrom('events')
    .select(['id', 'briefing_id'])
    .where('briefing_id', 'in', briefings)
    .orderBy('id')
    .execute()
  for (const { id, briefing_id: briefing } of rows) {
    if (briefing !== null) byBriefing.set(briefing, [...(byBriefing.get(briefing) ?? []), id])
  }
  return byBriefing
}
