import type { ToolCallStatus } from '@althing/protocol/model/session'
import { jsonb } from '@althing/runtime/db'
import { sql } from 'kysely'
import type { Decision, ToolCallRow } from '../db/tables.ts'
import type { Fence } from './fence.ts'
import type { Outcome } from './run-tool.ts'

const OPEN = ['queued', 'waiting', 'running'] as const

/** The calls of a run that have no result yet, in the order in which the model asked for them. */
export function openCalls({ db, turn }: Fence, frame: string | null): Promise<ToolCallRow[]> {
  return db
    .selectFrom('tool_calls')
    .selectAll('tool_calls')
    .innerJoin('messages', 'messages.id', 'tool_calls.message_id')
    .where('messages.turn_id', '=', turn)
    .where('messages.frame_id', frame === null ? 'is' : '=', frame)
    .where('tool_calls.status', 'in', OPEN)
    .orderBy('messages.position')
    .orderBy('tool_calls.position')
    .execute()
}

/** Every open call of the turn, those of its sub-agents included. */
export function allOpenCalls({ db, turn }: Fence): Promise<ToolCallRow[]> {
  return db
    .selectFrom('tool_calls')
    .selectAll('tool_calls')
    .innerJoin('messages', 'messages.id', 'tool_calls.message_id')
    .where('messages.turn_id', '=', turn)
    .where('tool_calls.status', 'in', OPEN)
    .execute()
}

/** Written down before the call is sent: from here on it may have run. */
export function beginCall(fence: Fence, id: string, decision: Decision): Promise<ToolCallRow> {
  return fence.step('begin-call', (trx) =>
    trx
      .updateTable('tool_calls')
      .set({ status: 'running', decision: jsonb(decision), started_at: sql`coalesce(started_at, now())` })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow(),
  )
}

export function endCall(
  fence: Fence,
  id: string,
  status: ToolCallStatus,
  outcome?: Pick<Outcome, 'type' | 'value'>,
): Promise<ToolCallRow> {
  return fence.step('end-call', (trx) =>
    trx
      .updateTable('tool_calls')
      .set({
        status,
        ended_at: sql`now()`,
        ...(outcome ? { result_type: outcome.type, result: jsonb(outcome.value) } : {}),
      })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow(),
  )
}
