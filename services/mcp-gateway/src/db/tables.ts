import type { Challenge } from '@althing/mcp-client/auth/challenge'
import type { TaskRef } from '@althing/mcp-client/tasks'
import type { Failure } from '@althing/protocol/model/problem'
import type { Isolation, ServerState } from '@althing/protocol/model/server'
import type { CallResult, Tool, ToolProblem } from '@althing/protocol/model/tool'
import type { ColumnType, Generated, JSONColumnType, Kysely, Selectable } from 'kysely'
import type { Question } from '../elicitation/form.ts'

type Json<T> = JSONColumnType<T & object, unknown, unknown>
type NullableJson<T> = ColumnType<T | null, unknown, unknown>

interface ServersTable {
  id: string
  name: string
  owner: string
  scope: 'shared' | 'personal'
  identity: 'one-for-all' | 'per-user'
  enabled: boolean
  generation: number
  transport: 'stdio' | 'http' | 'sse'
  friendly_name: string | null
  description: string | null
  command: string | null
  args: NullableJson<string[]>
  cwd: string | null
  /** Null: left to the instance. */
  isolation: 'process' | 'sandbox' | null
  url: string | null
  sealed: Buffer | null
  call_timeout_ms: number | null
  start_timeout_ms: number | null
  event_methods: NullableJson<string[]>
  relays: Generated<boolean>
  pin_policy: 'hold' | 'warn' | 'accept' | null
  /** The role of whoever registered it: how far it may reach. */
  owner_role: 'admin' | 'member'
  oauth: NullableJson<OAuthColumn>
  tool_problems: Json<ToolProblem[]>
  created_at: Generated<Date>
}

interface SecretsTable {
  id: string
  owner: string
  name: string
  sealed: Buffer
  created_at: Generated<Date>
  updated_at: Generated<Date>
}

/** What a registration says of signing in, but for the secret. */
interface OAuthColumn {
  readonly client_id?: string
  readonly issuer?: string
  readonly scopes?: string[]
}

interface InstancesTable {
  id: string
  host: string
  lease_until: Date
}

interface ConnectionsTable {
  id: string
  server_id: string
  principal: string
  owner: string | null
  epoch: Generated<number>
  generation: Generated<number>
  ever_ran: Generated<boolean>
  state: ServerState
  state_since: Generated<Date>
  next_try_at: Date | null
  error: NullableJson<Failure>
  era: 'legacy' | 'modern' | null
  protocol_version: string | null
  isolation: Isolation | null
  host: string | null
  pid: number | null
  pid_started: string | null
  capabilities: NullableJson<Record<string, unknown>>
  instructions: string | null
}

interface ToolsTable {
  server_id: string
  name: string
  alias: string
  position: number
  definition: Json<Tool>
  hash: Generated<string>
  candidate: NullableJson<Tool>
  candidate_hash: string | null
  listed: Generated<boolean>
  accepted_by: string | null
  accepted_at: Date | null
}

interface ElicitationsTable {
  id: string
  instance: string
  user: string
  server_id: string
  call_id: string
  session_id: string | null
  question: Json<Question>
  seal: Json<{ key_id: string; public_key: string }>
  state: Generated<'open' | 'answered' | 'withdrawn' | 'expired'>
  created_at: Generated<Date>
  deadline_at: Date
}

interface TasksTable {
  call_id: string
  connection_id: string
  user: string
  session_id: string | null
  tool: string
  ref: Json<TaskRef>
  state: Generated<'working' | 'done' | 'failed'>
  outcome: NullableJson<CallResult | Failure>
  created_at: Generated<Date>
  ended_at: Date | null
}

interface MediaTable {
  id: string
  extension: string
  server_id: string
  user: string
  call_id: string
  mime_type: string
  bytes: number
  created_at: Generated<Date>
}

interface OAuthGrantsTable {
  /** Made of the key, for what is bound to one row. */
  id: ColumnType<string, never, never>
  server_id: string
  principal: string
  url: string
  issuer: string
  version: string
  sealed: Buffer
  given_at: Generated<Date>
  renewal_until: Date | null
}

interface OAuthClientsTable {
  id: ColumnType<string, never, never>
  server_id: string
  principal: string
  issuer: string
  sealed: Buffer
}

interface OAuthChallengesTable {
  server_id: string
  principal: string
  challenge: Json<Challenge>
}

interface OAuthPendingTable {
  state_digest: Buffer
  server_id: string
  principal: string
  person: string
  url: string
  sealed: Buffer
  expires_at: Date
}

export interface GatewayTables {
  servers: ServersTable
  instances: InstancesTable
  secrets: SecretsTable
  connections: ConnectionsTable
  tools: ToolsTable
  elicitations: ElicitationsTable
  tasks: TasksTable
  media: MediaTable
  oauth_grants: OAuthGrantsTable
  oauth_clients: OAuthClientsTable
  oauth_challenges: OAuthChallengesTable
  oauth_pending: OAuthPendingTable
}

export type GatewayDb = Kysely<GatewayTables>
export type ServerRow = Selectable<ServersTable>
export type SecretRow = Selectable<SecretsTable>
export type ConnectionRow = Selectable<ConnectionsTable>
export type ElicitationRow = Selectable<ElicitationsTable>
export type ToolRow = Selectable<ToolsTable>
export type TaskRow = Selectable<TasksTable>

/** The principal of a connection that serves everybody. */
export const EVERYONE = 'shared'

export function principalOf(server: Pick<ServerRow, 'identity'>, user: string): string {
  return server.identity === 'per-user' ? user : EVERYONE
}
