import { randomUUIDv7 } from 'node:crypto'
import { AppError } from '@althing/protocol/errors'
import type { Actor } from '@althing/protocol/model/actor'
import type { ApprovalAnswer } from '@althing/protocol/model/approval'
import { jsonb } from '@althing/runtime/db'
import { sql, type Transaction } from 'kysely'
import type { AgentDb, AgentTables, ApprovalRow, Decision } from '../db/tables.ts'
import { argumentsFault } from '../turn/arguments.ts'
import { wakeTurn } from './wake-turn.ts'

/** A rule that a card made is looked at with the others of this priority. */
const PRIORITY = 100

/**
 * Allows or refuses a call that waits, once: whoever comes second gets `conflict`. The call, the rule that was asked
 * for, and the turn that goes on are one transaction.
 */
export async function answerApproval(
  db: AgentDb,
  actor: Actor,
  id: string,
  answer: ApprovalAnswer,
): Promise<ApprovalRow> {
  const found = await db
    .selectFrom('approvals')
    .selectAll()
    .where('id', '=', id)
    .where('user_id', '=', actor.user)
    .executeTakeFirst()
  if (found === undefined) throw new AppError('not_found', 'There is no such approval.')
  const allowed = answer.action === 'approve'
  if (allowed && answer.arguments !== undefined && found.schema !== null) {
    const fault = argumentsFault(found.schema, answer.arguments)
    if (fault !== undefined) throw new AppError('invalid_request', `arguments: ${fault}`)
  }
  return db.transaction().execute(async (trx) => {
    await wakeTurn(trx, found.turn_id)
    const resolved = await trx
      .updateTable('approvals')
      .set({
        state: allowed ? 'approved' : 'rejected',
        scope: answer.scope,
        note: answer.note ?? null,
        resolved_by: actor.user,
        resolved_at: sql`now()`,
        ...(allowed && answer.arguments !== undefined ? { arguments: jsonb(answer.arguments) } : {}),
      })
      .where('id', '=', id)
      .where('state', '=', 'open')
      .returningAll()
      .executeTakeFirst()
    if (resolved === undefined) throw new AppError('conflict', 'It was answered or withdrawn already.')
    const decision: Decision = { by: 'person', user: actor.user, action: allowed ? 'allow' : 'deny' }
    const note = answer.note ? ` The reason: ${answer.note}` : ''
    await trx
      .updateTable('tool_calls')
      .set(
        allowed
          ? { status: 'queued', decision: jsonb(decision), arguments: jsonb(resolved.arguments) }
          : {
              status: 'rejected',
              decision: jsonb(decision),
              result_type: 'string',
              result: jsonb(`The person refused this call.${note}`),
              ended_at: sql`now()`,
            },
      )
      .where('id', '=', resolved.call_id)
      .execute()
    if (answer.scope !== 'once') await remember(trx, resolved, answer)
    return resolved
  })
}

/** A rule for exactly this tool: of this server, whatever has its name later. */
async function remember(
  trx: Transaction<AgentTables>,
  approval: ApprovalRow,
  { action, scope }: ApprovalAnswer,
): Promise<void> {
  const asked =
    approval.rule_id === null
      ? undefined
      : await trx
          .selectFrom('approval_rules')
          .selectAll()
          .where('id', '=', approval.rule_id)
          .executeTakeFirst()
  if (asked?.user_id === null)
    throw new AppError(
      'invalid_request',
      'scope: a rule of your administrator asks each time; answer with the scope "once".',
    )
  const call = await trx
    .selectFrom('tool_calls')
    .select('server_id')
    .where('id', '=', approval.call_id)
    .executeTakeFirstOrThrow()
  await trx
    .insertInto('approval_rules')
    .values({
      id: randomUUIDv7(),
      user_id: approval.user_id,
      session_id: scope === 'session' ? approval.session_id : null,
      server_id: call.server_id,
      pattern: approval.tool,
      action: action === 'approve' ? 'allow' : 'deny',
      priority: Math.max(0, Math.min(PRIORITY, (asked?.priority ?? PRIORITY) - 1)),
    })
    .execute()
}
