import type { Role } from '@althing/protocol/model/actor'
import type { ToolCallStatus } from '@althing/protocol/model/session'
import type { ColumnType, Generated, Kysely, Selectable } from 'kysely'

type Json<T> = ColumnType<T, unknown, unknown>

interface SessionsTable {
  id: string
  user_id: string
  role: Role
  agent: string
  title: Generated<string>
  system_prompt: string | null
  known_servers: Json<string[] | null>
  input_tokens: Generated<string>
  output_tokens: Generated<string>
  requests: Generated<string>
  created_at: Generated<Date>
  updated_at: Generated<Date>
}

interface TurnsTable {
  id: string
  session_id: string
  state: 'queued' | 'running' | 'done' | 'stopped' | 'failed'
  worker: string | null
  lease_until: Date | null
  stop_requested: Generated<boolean>
  /** Nobody is there to be asked: a schedule began it. */
  unattended: Generated<boolean>
  error: string | null
  created_at: Generated<Date>
}

interface MessagesTable {
  id: string
  session_id: string
  turn_id: string
  position: Generated<string>
  role: 'user' | 'assistant'
  content: Generated<string>
  /** What the model is told beside the message; people do not see it. */
  note: string | null
  status: 'queued' | 'streaming' | 'done' | 'stopped' | 'failed'
  error: string | null
  created_at: Generated<Date>
}

interface ToolCallsTable {
  id: string
  message_id: string
  position: number
  provider_call_id: string
  name: string
  server: string | null
  tool: string | null
  arguments: Json<unknown>
  /** Why the arguments cannot be used, when the model wrote what is no JSON object. */
  arguments_fault: string | null
  /** Read-only or idempotent by its annotations: sending it twice does no harm. */
  repeatable: Generated<boolean>
  status: ToolCallStatus
  result_type: 'string' | 'json' | null
  result: Json<unknown>
  started_at: Date | null
  ended_at: Date | null
}

interface GrantsTable {
  session_id: string
  server_id: string
  name: string
  position: Generated<string>
}

interface SettingsTable {
  key: string
  value: Json<unknown>
}

export interface AgentTables {
  sessions: SessionsTable
  turns: TurnsTable
  messages: MessagesTable
  tool_calls: ToolCallsTable
  grants: GrantsTable
  settings: SettingsTable
}

export type AgentDb = Kysely<AgentTables>
export type SessionRow = Selectable<SessionsTable>
export type TurnRow = Selectable<TurnsTable>
export type MessageRow = Selectable<MessagesTable>
export type ToolCallRow = Selectable<ToolCallsTable>
