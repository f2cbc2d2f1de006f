import type { Actor } from '@althing/protocol/model/actor'
import { decodeCursor, pageOf } from '../db/cursor.ts'
import type { TicDb } from '../db/tables.ts'
import { batchView } from '../db/views.ts'

interface Input {
  readonly actor: Actor
  readonly page: { readonly limit: number; readonly cursor?: string | undefined }
}

export function listBatches({ db }: { db: TicDb }) {
  return async ({ actor, page }: Input) => {
    let query = db.selectFrom('batches').selectAll().where('user_id', '=', actor.user)
    if (page.cursor !== undefined) query = query.where('id', '<', decodeCursor(page.cursor))
    const { rows, next } = pageOf(
      await query
        .orderBy('id', 'desc')
        .limit(page.limit + 1)
        .execute(),
      page.limit,
    )
    return { batches: rows.map(batchView), ...(next === undefined ? {} : { next_cursor: next }) }
  }
}
