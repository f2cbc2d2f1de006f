import type { TaskRef } from '@althing/mcp-client/tasks'
import type { Failure } from '@althing/protocol/model/problem'
import type { CallResult } from '@althing/protocol/model/tool'
import { jsonb } from '@althing/runtime/db'
import { sql } from 'kysely'
import type { GatewayDb, TaskRow } from './tables.ts'

export interface NewTask {
  readonly call_id: string
  readonly connection_id: string
  readonly user: string
  readonly session_id: string | null
  readonly tool: string
  readonly ref: TaskRef
}

export async function insertTask(db: GatewayDb, { ref, ...row }: NewTask): Promise<void> {
  await db
    .insertInto('tasks')
    .values({ ...row, ref: jsonb(ref) })
    .execute()
}

export async function endTask(
  db: GatewayDb,
  callId: string,
  state: 'done' | 'failed',
  outcome: CallResult | Failure,
): Promise<void> {
  await db
    .updateTable('tasks')
    .set({ state, outcome: jsonb(outcome), ended_at: sql<Date>`now()` })
    .where('call_id', '=', callId)
    .where('state', '=', 'working')
    .execute()
}

export async function workingTasks(db: GatewayDb, connectionId: string): Promise<TaskRow[]> {
  return db
    .selectFrom('tasks')
    .selectAll()
    .where('connection_id', '=', connectionId)
    .where('state', '=', 'working')
    .execute()
}

export async function taskOf(db: GatewayDb, user: string, callId: string): Promise<TaskRow | undefined> {
  return db
    .selectFrom('tasks')
    .selectAll()
    .where('call_id', '=', callId)
    .where('user', '=', user)
    .executeTakeFirst()
}

/** What ended is kept for a week, so that its caller may still ask. */
export async function forgetTasks(db: GatewayDb): Promise<void> {
  await db.deleteFrom('tasks').where('created_at', '<', sql<Date>`now() - interval '7 days'`).execute()
}
