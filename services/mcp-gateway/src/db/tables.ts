import type { Failure } from '@althing/protocol/model/problem'
import type { ServerState } from '@althing/protocol/model/server'
import type { Tool, ToolProblem } from '@althing/protocol/model/tool'
import type { ColumnType, Generated, JSONColumnType, Kysely, Selectable } from 'kysely'

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
  url: string | null
  sealed: Buffer | null
  call_timeout_ms: number | null
  start_timeout_ms: number | null
  event_methods: NullableJson<string[]>
  tool_problems: Json<ToolProblem[]>
  created_at: Generated<Date>
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
  host: string | null
  pid: number | null
  pid_started: string | null
}

interface ToolsTable {
  server_id: string
  name: string
  alias: string
  position: number
  definition: Json<Tool>
}

export interface GatewayTables {
  servers: ServersTable
  instances: InstancesTable
  connections: ConnectionsTable
  tools: ToolsTable
}

export type GatewayDb = Kysely<GatewayTables>
export type ServerRow = Selectable<ServersTable>
export type ConnectionRow = Selectable<ConnectionsTable>

/** The principal of a connection that serves everybody. */
export const EVERYONE = 'shared'

export function principalOf(server: Pick<ServerRow, 'identity'>, user: string): string {
  return server.identity === 'per-user' ? user : EVERYONE
}
