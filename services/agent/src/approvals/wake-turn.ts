import { sql, type Transaction } from 'kysely'
import type { AgentTables } from '../db/tables.ts'

/**
 * Something that a turn may wait for was answered. A parked turn is queued again; one that runs hears of it when it
 * wants to park. Locks the turn, so that its worker and this take turns: call it first in a transaction.
 */
export async function wakeTurn(trx: Transaction<AgentTables>, turn: string): Promise<void> {
  await trx
    .updateTable('turns')
    .set({
      answers: sql`answers + 1`,
      state: sql`case when state = 'waiting' then 'queued' else state end`,
    })
    .where('id', '=', turn)
    .execute()
}
