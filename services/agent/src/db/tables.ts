import type { Role } from '@althing/protocol/model/actor'
import type { ApprovalAction, ArgumentCondition } from '@althing/protocol/model/approval'
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
  /** `waiting`: parked until somebody answers; no worker has it. */
  state: 'queued' | 'running' | 'waiting' | 'done' | 'stopped' | 'failed'
  worker: string | null
  /** Counts its claims: what a worker writes counts only under the epoch of its own claim. */
  epoch: Generated<number>
  /** Counts what people answered; a turn parks only when nothing came since it last looked. */
  answers: Generated<number>
  /** How often a worker gave it back because of a fault of our own. */
  failures: Generated<number>
  lease_until: Date | null
  stop_requested: Generated<boolean>
  /** Nobody is there to be asked: a schedule began it. */
  unattended: Generated<boolean>
  error: string | null
  created_at: Generated<Date>
}

/** A sub-agent at work: the run that one call of `dispatch_agent` began. */
interface FramesTable {
  id: string
  session_id: string
  turn_id: string
  call_id: string
  parent_id: string | null
  agent: string
  depth: number
  system_prompt: string
  state: Generated<'running' | 'done' | 'stopped' | 'failed'>
  created_at: Generated<Date>
}

interface MessagesTable {
  id: string
  session_id: string
  turn_id: string
  /** Null for the session's own agent. */
  frame_id: string | null
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
  server_id: string | null
  tool: string | null
  arguments: Json<unknown>
  /** Who or what let it run, or did not. */
  decision: Json<Decision | null>
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

/** `rule`: the id of the rule that decided. `person`: what was said to the card. */
export type Decision =
  | { readonly by: 'default'; readonly action: ApprovalAction }
  | { readonly by: 'rule'; readonly rule: string; readonly action: ApprovalAction }
  | { readonly by: 'person'; readonly user: string; readonly action: 'allow' | 'deny' }

interface ApprovalRulesTable {
  id: string
  /** Null for a rule of everybody. */
  user_id: string | null
  session_id: string | null
  server_id: string | null
  agent: string | null
  pattern: string
  action: ApprovalAction
  priority: number
  conditions: Json<ArgumentCondition[] | null>
  created_at: Generated<Date>
}

interface ApprovalsTable {
  id: string
  user_id: string
  session_id: string
  turn_id: string
  call_id: string
  tool: string
  server: string | null
  arguments: Json<Record<string, unknown>>
  annotations: Json<Record<string, unknown> | null>
  /** The tool's input schema, so that other arguments can be checked when they are given. */
  schema: Json<Record<string, unknown> | null>
  /** The rule that asked; null when the default did. */
  rule_id: string | null
  state: Generated<'open' | 'approved' | 'rejected' | 'expired' | 'withdrawn'>
  scope: string | null
  note: string | null
  resolved_by: string | null
  deadline_at: Date | null
  created_at: Generated<Date>
  resolved_at: Date | null
}

interface QuestionsTable {
  id: string
  user_id: string
  session_id: string
  turn_id: string
  call_id: string
  question: string
  options: Json<string[] | null>
  state: Generated<'open' | 'answered' | 'expired' | 'withdrawn'>
  answer: string | null
  deadline_at: Date | null
  created_at: Generated<Date>
  resolved_at: Date | null
}

interface GrantsTable {
  session_id: string
  /** Of a sub-agent; null for the chat's own agent. */
  frame_id: string | null
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
  frames: FramesTable
  approval_rules: ApprovalRulesTable
  approvals: ApprovalsTable
  questions: QuestionsTable
  messages: MessagesTable
  tool_calls: ToolCallsTable
  grants: GrantsTable
  settings: SettingsTable
}

export type AgentDb = Kysely<AgentTables>
export type SessionRow = Selectable<SessionsTable>
export type FrameRow = Selectable<FramesTable>
export type ApprovalRow = Selectable<ApprovalsTable>
export type ApprovalRuleRow = Selectable<ApprovalRulesTable>
export type QuestionRow = Selectable<QuestionsTable>
export type TurnRow = Selectable<TurnsTable>
export type MessageRow = Selectable<MessagesTable>
export type ToolCallRow = Selectable<ToolCallsTable>
