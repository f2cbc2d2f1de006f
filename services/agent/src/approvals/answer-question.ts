import { AppError } from '@althing/protocol/errors'
import type { Actor } from '@althing/protocol/model/actor'
import { jsonb } from '@althing/runtime/db'
import { sql } from 'kysely'
import type { AgentDb, QuestionRow } from '../db/tables.ts'
import { wakeTurn } from './wake-turn.ts'

/** Answers what an agent asked, once: the answer becomes the result of its call, and the turn goes on. */
export async function answerQuestion(
  db: AgentDb,
  actor: Actor,
  id: string,
  answer: string,
): Promise<QuestionRow> {
  const found = await db
    .selectFrom('questions')
    .selectAll()
    .where('id', '=', id)
    .where('user_id', '=', actor.user)
    .executeTakeFirst()
  if (found === undefined) throw new AppError('not_found', 'There is no such question.')
  return db.transaction().execute(async (trx) => {
    await wakeTurn(trx, found.turn_id)
    const answered = await trx
      .updateTable('questions')
      .set({ state: 'answered', answer, resolved_at: sql`now()` })
      .where('id', '=', id)
      .where('state', '=', 'open')
      .returningAll()
      .executeTakeFirst()
    if (answered === undefined) throw new AppError('conflict', 'It was answered or withdrawn already.')
    await trx
      .updateTable('tool_calls')
      .set({ status: 'done', result_type: 'json', result: jsonb({ answer }), ended_at: sql`now()` })
      .where('id', '=', answered.call_id)
      .execute()
    return answered
  })
}
