import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import type { Fence } from './fence.ts'

/**
 * Ends the turn. A message that came in meanwhile is not left behind: a turn that is done goes on instead (false),
 * one that was stopped or failed is followed by a turn of its own for what waits.
 */
export function endTurn(
  fence: Fence,
  state: 'done' | 'stopped' | 'failed',
  error: string | null,
): Promise<boolean> {
  const { session, turn } = fence
  return fence.step('end', async (trx) => {
    await trx.selectFrom('sessions').select('id').where('id', '=', session).forUpdate().execute()
    const waiting = await trx
      .selectFrom('messages')
      .select('id')
      .where('session_id', '=', session)
      .where('status', '=', 'queued')
      .executeTakeFirst()
    if (state === 'done' && waiting !== undefined) return false
    await trx
      .updateTable('turns')
      .set({ state, error, worker: null, lease_until: null })
      .where('id', '=', turn)
      .execute()
    await trx
      .updateTable('frames')
      .set({ state: state === 'done' ? 'failed' : state })
      .where('turn_id', '=', turn)
      .where('state', '=', 'running')
      .execute()
    await trx.updateTable('sessions').set({ updated_at: sql`now()` }).where('id', '=', session).execute()
    if (waiting === undefined) return true
    const next = randomUUIDv7()
    await trx.insertInto('turns').values({ id: next, session_id: session, state: 'queued' }).execute()
    await trx
      .updateTable('messages')
      .set({ status: 'done', turn_id: next })
      .where('session_id', '=', session)
      .where('status', '=', 'queued')
      .execute()
    return true
  })
}
