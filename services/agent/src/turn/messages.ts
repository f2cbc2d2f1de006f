import { randomUUIDv7 } from 'node:crypto'
import { jsonb } from '@althing/runtime/db'
import { sql } from 'kysely'
import type { MessageRow, ToolCallRow } from '../db/tables.ts'
import type { ModelCall } from '../llm/model.ts'
import type { Fence } from './fence.ts'

/** A call that a model wants, with what is known of its tool. */
export interface WantedCallRow extends ModelCall {
  readonly server?: { readonly id: string; readonly name: string }
  readonly tool?: string
  readonly repeatable: boolean
}

/** Lets the messages that wait enter the conversation. */
export function enterQueued(fence: Fence): Promise<MessageRow[]> {
  return fence.step('enter-queued', (trx) =>
    trx
      .updateTable('messages')
      .set({ status: 'done', turn_id: fence.turn })
      .where('session_id', '=', fence.session)
      .where('status', '=', 'queued')
      .returningAll()
      .execute(),
  )
}

export function beginMessage(fence: Fence, frame: string | null): Promise<MessageRow> {
  return fence.step('begin-message', (trx) =>
    trx
      .insertInto('messages')
      .values({
        id: randomUUIDv7(),
        session_id: fence.session,
        turn_id: fence.turn,
        frame_id: frame,
        role: 'assistant',
        status: 'streaming',
      })
      .returningAll()
      .executeTakeFirstOrThrow(),
  )
}

/** Keeps the text so far. What a worker saves after it lost its turn changes nothing. */
export async function saveText({ db }: Fence, message: string, content: string): Promise<void> {
  await db
    .updateTable('messages')
    .set({ content })
    .where('id', '=', message)
    .where('status', '=', 'streaming')
    .execute()
}

/** The whole of a round's answer at once: text, calls and what it cost. */
export function finishMessage(
  fence: Fence,
  message: string,
  content: string,
  calls: readonly WantedCallRow[],
  usage: { readonly inputTokens: number; readonly outputTokens: number },
): Promise<{ message: MessageRow; calls: ToolCallRow[] }> {
  return fence.step('finish-message', async (trx) => {
    const done = await trx
      .updateTable('messages')
      .set({ content, status: 'done' })
      .where('id', '=', message)
      .returningAll()
      .executeTakeFirstOrThrow()
    await trx
      .updateTable('sessions')
      .set((eb) => ({
        input_tokens: eb('input_tokens', '+', String(usage.inputTokens)),
        output_tokens: eb('output_tokens', '+', String(usage.outputTokens)),
        requests: eb('requests', '+', '1'),
        updated_at: sql`now()`,
      }))
      .where('id', '=', fence.session)
      .execute()
    if (calls.length === 0) return { message: done, calls: [] }
    const rows = await trx
      .insertInto('tool_calls')
      .values(
        calls.map((call, position) => ({
          id: randomUUIDv7(),
          message_id: message,
          position,
          provider_call_id: call.id,
          name: call.name,
          server: call.server?.name ?? null,
          server_id: call.server?.id ?? null,
          tool: call.tool ?? null,
          arguments: jsonb(call.arguments),
          arguments_fault: call.fault ?? null,
          repeatable: call.repeatable,
          status: 'queued' as const,
        })),
      )
      .returningAll()
      .execute()
    return { message: done, calls: rows.sort((a, b) => a.position - b.position) }
  })
}

export function failMessage(
  fence: Fence,
  message: string,
  content: string,
  status: 'stopped' | 'failed',
  error: string | null,
): Promise<MessageRow> {
  return fence.step('fail-message', (trx) =>
    trx
      .updateTable('messages')
      .set({ content, status, error })
      .where('id', '=', message)
      .returningAll()
      .executeTakeFirstOrThrow(),
  )
}

/** What a worker that died, or was told to stop, left open. */
export function openMessages({ db, turn }: Fence): Promise<MessageRow[]> {
  return db
    .selectFrom('messages')
    .selectAll()
    .where('turn_id', '=', turn)
    .where('status', '=', 'streaming')
    .execute()
}

/** The rounds that a run has had in this turn. */
export async function roundsOf({ db, turn }: Fence, frame: string | null): Promise<number> {
  const { count } = await db
    .selectFrom('messages')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('turn_id', '=', turn)
    .where('frame_id', frame === null ? 'is' : '=', frame)
    .where('role', '=', 'assistant')
    .executeTakeFirstOrThrow()
  return Number(count)
}
