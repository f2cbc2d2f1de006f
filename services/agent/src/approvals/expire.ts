import { jsonb } from '@althing/runtime/db'
import { sql } from 'kysely'
import type { AgentDb } from '../db/tables.ts'
import { wakeTurn } from './wake-turn.ts'

const UNANSWERED = 'Nobody answered in time. This is no refusal: nobody was there. The call did not run.'

/** Ends what waited past its deadline, visibly and never as a refusal. Gives the people whose inbox changed. */
export async function expireCards(db: AgentDb): Promise<string[]> {
  const people: string[] = []
  for (const table of ['approvals', 'questions'] as const) {
    const due = await db
      .selectFrom(table)
      .select(['id', 'turn_id', 'call_id', 'user_id'])
      .where('state', '=', 'open')
      .where('deadline_at', '<', sql<Date>`now()`)
      .execute()
    for (const card of due) {
      const expired = await db.transaction().execute(async (trx) => {
        await wakeTurn(trx, card.turn_id)
        const { numUpdatedRows } = await trx
          .updateTable(table)
          .set({ state: 'expired', resolved_at: sql`now()` })
          .where('id', '=', card.id)
          .where('state', '=', 'open')
          .executeTakeFirst()
        if (numUpdatedRows === 0n) return false
        await trx
          .updateTable('tool_calls')
          .set({ status: 'failed', result_type: 'string', result: jsonb(UNANSWERED), ended_at: sql`now()` })
          .where('id', '=', card.call_id)
          .execute()
        return true
      })
      if (expired) people.push(card.user_id)
    }
  }
  return [...new Set(people)]
}
