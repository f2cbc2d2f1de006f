import type { Actor } from '@althing/protocol/model/actor'
import type { Event } from '@althing/protocol/model/event'
import { decodeCursor, pageOf } from '../db/cursor.ts'
import type { TicDb } from '../db/tables.ts'
import { eventView } from '../db/views.ts'

interface Input {
  readonly actor: Actor
  readonly page: { readonly limit: number; readonly cursor?: string | undefined }
  readonly state?: Event['state'] | undefined
  readonly server?: string | undefined
}

export function listEvents({ db }: { db: TicDb }) {
  return async ({ actor, page, state, server }: Input) => {
    let query = db.selectFrom('events').selectAll().where('user_id', '=', actor.user)
    if (state !== undefined) query = query.where('state', '=', state)
    if (server !== undefined) query = query.where('server', '=', server)
    if (page.cursor !== undefined) query = query.where('id', '<', decodeCursor(page.cursor))
    const { rows, next } = pageOf(
      await query
        .orderBy('id', 'desc')
        .limit(page.limit + 1)
        .execute(),
      page.limit,
    )
    return { events: rows.map(eventView), ...(next === undefined ? {} : { next_cursor: next }) }
  }
}
