import { AppError } from '@althing/protocol/errors'
import type { SessionState } from '@althing/protocol/model/session'
import { sql } from 'kysely'
import type { AgentDb, MessageRow, SessionRow, ToolCallRow, TurnRow } from './tables.ts'

/** A session of this person; another person's is as good as none. */
export async function mustFindSession(db: AgentDb, user: string, id: string): Promise<SessionRow> {
  const row = await db
    .selectFrom('sessions')
    .selectAll()
    .where('id', '=', id)
    .where('user_id', '=', user)
    .executeTakeFirst()
  if (row === undefined) throw new AppError('session_not_found', 'There is no such chat.')
  return row
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export interface MessageWithCalls {
  readonly message: MessageRow
  readonly calls: readonly ToolCallRow[]
}

/** The messages of one run of a session in their order, each with its calls. `frame` is null for the chat's own agent. */
export async function readMessages(
  db: AgentDb,
  session: string,
  frame: string | null,
): Promise<MessageWithCalls[]> {
  return withCalls(
    db,
    await db
      .selectFrom('messages')
      .selectAll()
      .where('session_id', '=', session)
      .where('frame_id', frame === null ? 'is' : '=', frame)
      .orderBy('position')
      .execute(),
  )
}

/** Every message of a session, those of its sub-agents included, with the call that began each run. */
export async function readEverything(
  db: AgentDb,
  session: string,
): Promise<(MessageWithCalls & { readonly parentCall: string | null })[]> {
  const rows = await db
    .selectFrom('messages')
    .leftJoin('frames', 'frames.id', 'messages.frame_id')
    .selectAll('messages')
    .select('frames.call_id as parent_call')
    .where('messages.session_id', '=', session)
    .orderBy('messages.position')
    .execute()
  const parents = new Map(rows.map((row) => [row.id, row.parent_call]))
  return (await withCalls(db, rows)).map((one) => ({
    ...one,
    parentCall: parents.get(one.message.id) ?? null,
  }))
}

async function withCalls(db: AgentDb, messages: readonly MessageRow[]): Promise<MessageWithCalls[]> {
  const ids = messages.filter((message) => message.role === 'assistant').map((message) => message.id)
  const calls =
    ids.length === 0
      ? []
      : await db
          .selectFrom('tool_calls')
          .selectAll()
          .where('message_id', '=', sql<string>`any(${ids}::uuid[])`)
          .orderBy('position')
          .execute()
  const byMessage = Map.groupBy(calls, (call) => call.message_id)
  return messages.map((message) => ({ message, calls: byMessage.get(message.id) ?? [] }))
}

/** A call of this session, by its id. */
export async function callOf(db: AgentDb, session: string, id: string): Promise<ToolCallRow | undefined> {
  if (!UUID.test(id)) return undefined
  return db
    .selectFrom('tool_calls')
    .innerJoin('messages', 'messages.id', 'tool_calls.message_id')
    .selectAll('tool_calls')
    .where('messages.session_id', '=', session)
    .where('tool_calls.id', '=', id)
    .executeTakeFirst()
}

/** The states of a turn that has not ended. */
export const OPEN_TURN = ['queued', 'running', 'waiting'] as const

export async function stateOf(db: AgentDb, session: string): Promise<SessionState> {
  const turn = await db
    .selectFrom('turns')
    .select('state')
    .where('session_id', '=', session)
    .where('state', 'in', OPEN_TURN)
    .executeTakeFirst()
  return sessionState(turn?.state)
}

/** How a chat is, by the state of its open turn. */
export function sessionState(turn: TurnRow['state'] | undefined): SessionState {
  if (turn === 'waiting') return 'waiting'
  return turn === undefined ? 'idle' : 'running'
}

export async function grantNames(db: AgentDb, session: string): Promise<string[]> {
  const rows = await db
    .selectFrom('grants')
    .select('name')
    .where('session_id', '=', session)
    .where('frame_id', 'is', null)
    .orderBy('position')
    .execute()
  return rows.map((row) => row.name)
}

/** A call with the session it belongs to. */
export async function callWithSession(
  db: AgentDb,
  id: string,
): Promise<{ call: ToolCallRow; session: string }> {
  const { session_id: session, ...call } = await db
    .selectFrom('tool_calls')
    .innerJoin('messages', 'messages.id', 'tool_calls.message_id')
    .selectAll('tool_calls')
    .select('messages.session_id')
    .where('tool_calls.id', '=', id)
    .executeTakeFirstOrThrow()
  return { call, session }
}
