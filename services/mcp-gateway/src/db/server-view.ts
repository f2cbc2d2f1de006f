import { AppError } from '@althing/protocol/errors'
import type { Failure } from '@althing/protocol/model/problem'
import type { Server } from '@althing/protocol/model/server'
import type { Envelope } from '@althing/runtime/envelope'
import { type Sensitive, sensitiveIn } from '../servers/registration.ts'
import type { ConnectionRow, ServerRow } from './tables.ts'

/** A row as people see it: values that may be secrets are replaced by their names. */
export function serverView(
  row: ServerRow,
  connection: ConnectionRow | undefined,
  toolCount: number,
  envelope: Envelope,
): Server {
  const { sensitive, unreadable } = readSensitive(row, envelope)
  return {
    id: row.id,
    name: row.name,
    friendly_name: row.friendly_name ?? row.name,
    description: row.description ?? '',
    transport: row.transport,
    scope: row.scope,
    identity: row.identity,
    owner: row.owner,
    enabled: row.enabled,
    has_api_key: sensitive.api_key !== undefined,
    isolation: connection?.isolation ?? (row.transport === 'stdio' ? (row.isolation ?? 'process') : 'none'),
    tool_count: toolCount,
    created_at: row.created_at.toISOString(),
    ...(row.command === null ? {} : { command: row.command }),
    ...(row.args === null ? {} : { args: row.args }),
    ...(row.cwd === null ? {} : { cwd: row.cwd }),
    ...(row.url === null ? {} : { url: withoutQueryValues(row.url) }),
    ...(sensitive.env ? { env: masked(sensitive.env) } : {}),
    ...(sensitive.headers ? { headers: masked(sensitive.headers) } : {}),
    ...(unreadable && row.enabled && connection?.state !== 'running' && connection?.state !== 'stopping'
      ? { ...connectionView(row, connection), state: 'failed' as const, error: unreadable }
      : connectionView(row, connection)),
  }
}

/** One row that no key opens must not hide the others: it is shown as failed, with the reason. */
function readSensitive(row: ServerRow, envelope: Envelope): { sensitive: Sensitive; unreadable?: Failure } {
  try {
    return { sensitive: sensitiveIn(row, envelope) }
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'secret_unreadable') throw error
    const at = row.created_at.toISOString()
    return { sensitive: {}, unreadable: { code: error.code, detail: error.message, at } }
  }
}

function connectionView(row: ServerRow, connection: ConnectionRow | undefined) {
  const state = connection?.state ?? (row.enabled ? 'starting' : 'disabled')
  return {
    state,
    state_since: (connection?.state_since ?? row.created_at).toISOString(),
    ...(connection?.error ? { error: connection.error } : {}),
    ...(connection?.next_try_at && state === 'backing_off'
      ? { next_try_at: connection.next_try_at.toISOString() }
      : {}),
    ...(connection?.era ? { era: connection.era } : {}),
    ...(connection?.protocol_version ? { protocol_version: connection.protocol_version } : {}),
    ...(connection?.owner ? { replica: connection.owner } : {}),
  }
}

function masked(values: Readonly<Record<string, string>>): Record<string, '***'> {
  return Object.fromEntries(Object.keys(values).map((name) => [name, '***' as const]))
}

/** Tokens are often put into an address; names of parameters stay, values do not. */
function withoutQueryValues(text: string): string {
  return text.replaceAll(/([?&][^=&#]+)=[^&#]*/g, '$1=***')
}
