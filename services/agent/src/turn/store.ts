import { randomUUIDv7 } from 'node:crypto'
import type { ToolCallStatus } from '@althing/protocol/model/session'
import { jsonb } from '@althing/runtime/db'
import { sql } from 'kysely'
import type { AgentDb, MessageRow, ToolCallRow } from '../db/tables.ts'
import type { ModelCall } from '../llm/model.ts'
import type { Outcome } from './run-tool.ts'

/** The steps of a turn, each written down before the next begins. */
export class TurnStore {
  readonly #db: AgentDb
  readonly #session: string
  readonly #turn: string

  constructor(db: AgentDb, session: string, turn: string) {
    this.#db = db
    this.#session = session
    this.#turn = turn
  }

  /** Lets the messages that wait enter the conversation. */
  async enterQueued(): Promise<MessageRow[]> {
    return this.#db
      .updateTable('messages')
      .set({ status: 'done', turn_id: this.#turn })
      .where('session_id', '=', this.#session)
      .where('status', '=', 'queued')
      .returningAll()
      .execute()
  }

  async beginMessage(): Promise<MessageRow> {
    return this.#db
      .insertInto('messages')
      .values({
        id: randomUUIDv7(),
        session_id: this.#session,
        turn_id: this.#turn,
        role: 'assistant',
        status: 'streaming',
      })
      .returningAll()
      .executeTakeFirstOrThrow()
  }

  async saveText(message: string, content: string): Promise<void> {
    await this.#db.updateTable('messages').set({ content }).where('id', '=', message).execute()
  }

  /** The whole of a round's answer at once: text, calls and what it cost. */
  async finishMessage(
    message: string,
    content: string,
    calls: readonly (ModelCall & { server?: string; tool?: string; repeatable: boolean })[],
    usage: { readonly inputTokens: number; readonly outputTokens: number },
  ): Promise<{ message: MessageRow; calls: ToolCallRow[] }> {
    return this.#db.transaction().execute(async (trx) => {
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
        .where('id', '=', this.#session)
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
            server: call.server ?? null,
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

  async failMessage(
    message: string,
    content: string,
    status: 'stopped' | 'failed',
    error: string | null,
  ): Promise<MessageRow> {
    return this.#db
      .updateTable('messages')
      .set({ content, status, error })
      .where('id', '=', message)
      .returningAll()
      .executeTakeFirstOrThrow()
  }

  /** What a worker that died, or was told to stop, left open. */
  async openMessages(): Promise<MessageRow[]> {
    return this.#db
      .selectFrom('messages')
      .selectAll()
      .where('turn_id', '=', this.#turn)
      .where('status', '=', 'streaming')
      .execute()
  }

  async openCalls(): Promise<ToolCallRow[]> {
    return this.#db
      .selectFrom('tool_calls')
      .selectAll('tool_calls')
      .innerJoin('messages', 'messages.id', 'tool_calls.message_id')
      .where('messages.turn_id', '=', this.#turn)
      .where('tool_calls.status', 'in', ['queued', 'running'])
      .orderBy('messages.position')
      .orderBy('tool_calls.position')
      .execute()
  }

  async beginCall(id: string): Promise<ToolCallRow> {
    return this.#db
      .updateTable('tool_calls')
      .set({ status: 'running', started_at: sql`now()` })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
  }

  async endCall(
    id: string,
    status: ToolCallStatus,
    outcome?: Pick<Outcome, 'type' | 'value'>,
  ): Promise<ToolCallRow> {
    return this.#db
      .updateTable('tool_calls')
      .set({
        status,
        ended_at: sql`now()`,
        ...(outcome ? { result_type: outcome.type, result: jsonb(outcome.value) } : {}),
      })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
  }

  /**
   * Ends the turn. A message that came in meanwhile is not left behind: a turn that is done goes on instead (false),
   * one that was stopped or failed is followed by a turn of its own for what waits.
   */
  async end(state: 'done' | 'stopped' | 'failed', error: string | null): Promise<boolean> {
    return this.#db.transaction().execute(async (trx) => {
      await trx.selectFrom('sessions').select('id').where('id', '=', this.#session).forUpdate().execute()
      const waiting = await trx
        .selectFrom('messages')
        .select('id')
        .where('session_id', '=', this.#session)
        .where('status', '=', 'queued')
        .executeTakeFirst()
      if (state === 'done' && waiting !== undefined) return false
      await trx
        .updateTable('turns')
        .set({ state, error, worker: null, lease_until: null })
        .where('id', '=', this.#turn)
        .execute()
      await trx
        .updateTable('sessions')
        .set({ updated_at: sql`now()` })
        .where('id', '=', this.#session)
        .execute()
      if (waiting === undefined) return true
      const next = randomUUIDv7()
      await trx.insertInto('turns').values({ id: next, session_id: this.#session, state: 'queued' }).execute()
      await trx
        .updateTable('messages')
        .set({ status: 'done', turn_id: next })
        .where('session_id', '=', this.#session)
        .where('status', '=', 'queued')
        .execute()
      return true
    })
  }
}
