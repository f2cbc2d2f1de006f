import { AppError } from '@althing/protocol/errors'
import type { Actor } from '@althing/protocol/model/actor'
import type { GatewayDb } from '../db/tables.ts'

/** Media is its caller's alone: a shared server serves many people, and what it gave one is not the others'. */
export function findMedia(db: GatewayDb) {
  return async ({ actor, media }: { actor: Actor; media: string }) => {
    const row = await db
      .selectFrom('media')
      .select(['mime_type', 'extension', 'bytes'])
      .where('id', '=', media)
      .where('user', '=', actor.user)
      .executeTakeFirst()
    if (row === undefined) throw new AppError('not_found', 'There is no such file.')
    return row
  }
}
