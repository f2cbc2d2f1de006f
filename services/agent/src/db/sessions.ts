import { AppError } from '@althing/protocol/errors'
import type { AgentDb, MessageRow, SessionRow, ToolCallRow } from './tables.ts'

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

/** The messages of a session in their order, each with its calls. */
export async function readMessages(db: AgentDb, session: string): Promise<MessageWithCalls[]> {
  const [messages, calls] = await Promise.all([
    db.selectFrom('messages').selectAll().where('session_id', '=', session).orderBy('position').execute(),
    db
      .selectFrom('tool_calls')
      .selectAll('tool_calls')
      .innerJoin('messages', 'messages.id', 'tool_calls.message_id')
      .where('messages.session_id', '=', session)
      .orderBy('tool_calls.position')
      .execute(),
  ])
  return messages.map((message) => ({
    message,
    calls: calls.filter((call) => call.message_id === message.id),
  }))
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

export async function isRunning(db: AgentDb, session: string): Promise<boolean> {
  const turn = await db
    .selectFrom('turns')
    .select('id')
    .where('session_id', '=', session)
    .where('state', 'in', ['queued', 'running'])
    .executeTakeFirst()
  return turn !== undefined
}

export async function grantNames(db: AgentDb, session: string): Promise<string[]> {
  const rows = await db
    .selectFrom('grants')
    .select('name')
    .where('session_id', '=', session)
    .orderBy('position')
    .execute()
  return rows.map((row) => row.name)
}
