import { randomUUIDv7 } from 'node:crypto'
import { jsonb } from '@althing/runtime/db'
import { sql, type Transaction } from 'kysely'
import type { AgentTables, Decision, SessionRow, ToolCallRow } from '../db/tables.ts'
import type { Fence } from './fence.ts'

/** The deadline of a card, in milliseconds from now; none where a person is there to answer. */
type Deadline = number | undefined

/** Asks the person whether a call may run. Asking twice for the same call is asking once. */
export function askApproval(
  fence: Fence,
  session: SessionRow,
  call: ToolCallRow,
  about: {
    readonly decision: Decision
    readonly annotations: object | undefined
    readonly schema: object
    readonly deadlineMs: Deadline
  },
): Promise<ToolCallRow> {
  return fence.step('decide-call', async (trx) => {
    await trx
      .insertInto('approvals')
      .values({
        ...of(fence, session, call, about.deadlineMs),
        tool: call.name,
        server: call.server,
        arguments: jsonb(call.arguments),
        annotations: about.annotations === undefined ? null : jsonb(about.annotations),
        schema: jsonb(about.schema),
        rule_id: about.decision.by === 'rule' ? about.decision.rule : null,
      })
      .onConflict((conflict) => conflict.column('call_id').doNothing())
      .execute()
    return waits(trx, call.id)
  })
}

/** Asks the person a question on behalf of an agent. */
export function askQuestion(
  fence: Fence,
  session: SessionRow,
  call: Pick<ToolCallRow, 'id'>,
  question: { readonly text: string; readonly options: readonly string[] },
  deadlineMs: Deadline,
): Promise<ToolCallRow> {
  return fence.step('ask-question', async (trx) => {
    await trx
      .insertInto('questions')
      .values({
        ...of(fence, session, call, deadlineMs),
        question: question.text,
        options: question.options.length === 0 ? null : jsonb(question.options),
      })
      .onConflict((conflict) => conflict.column('call_id').doNothing())
      .execute()
    return waits(trx, call.id)
  })
}

/** Takes back what a turn asked that ends. True when something was. */
export async function withdrawCards(fence: Fence): Promise<boolean> {
  let withdrawn = 0n
  for (const table of ['approvals', 'questions'] as const) {
    const { numUpdatedRows } = await fence.db
      .updateTable(table)
      .set({ state: 'withdrawn', resolved_at: sql`now()` })
      .where('turn_id', '=', fence.turn)
      .where('state', '=', 'open')
      .executeTakeFirst()
    withdrawn += numUpdatedRows
  }
  return withdrawn > 0n
}

function of({ turn }: Fence, session: SessionRow, call: Pick<ToolCallRow, 'id'>, deadlineMs: Deadline) {
  return {
    id: randomUUIDv7(),
    user_id: session.user_id,
    session_id: session.id,
    turn_id: turn,
    call_id: call.id,
    deadline_at:
      deadlineMs === undefined ? null : sql<Date>`now() + ${`${deadlineMs} milliseconds`}::interval`,
  }
}

function waits(trx: Transaction<AgentTables>, call: string): Promise<ToolCallRow> {
  return trx
    .updateTable('tool_calls')
    .set({ status: 'waiting' })
    .where('id', '=', call)
    .returningAll()
    .executeTakeFirstOrThrow()
}
