import { AppError } from '@althing/protocol/errors'
import { Registration, type RegistrationPatch } from '@althing/protocol/model/server'
import { jsonb } from '@althing/runtime/db'
import type { Envelope } from '@althing/runtime/envelope'
import type { ServerRow } from '../db/tables.ts'

/** The part of a registration that may hold secrets: kept sealed, shown never. */
export interface Sensitive {
  readonly env?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly api_key?: string
  readonly oauth_secret?: string
}

export function sensitiveOf(registration: Registration): Sensitive {
  if (registration.transport === 'stdio')
    return registration.env === undefined ? {} : { env: registration.env }
  const { headers, api_key, oauth } = registration
  return {
    ...(headers === undefined ? {} : { headers }),
    ...(api_key === undefined ? {} : { api_key }),
    ...(oauth?.client_secret === undefined ? {} : { oauth_secret: oauth.client_secret }),
  }
}

/** The columns that a registration fills, beside identity and generation. */
export function columnsOf(
  registration: Registration,
  row: { id: string; owner: string },
  envelope: Envelope,
) {
  const stdio = registration.transport === 'stdio' ? registration : undefined
  const http = registration.transport === 'stdio' ? undefined : registration
  const sensitive = sensitiveOf(registration)
  const { client_secret: _secret, ...oauth } = http?.oauth ?? {}
  return {
    transport: registration.transport,
    friendly_name: registration.friendly_name ?? null,
    description: registration.description ?? null,
    enabled: registration.enabled ?? true,
    identity: registration.identity ?? ('one-for-all' as const),
    command: stdio?.command ?? null,
    args: stdio ? jsonb(stdio.args ?? []) : null,
    cwd: stdio?.cwd ?? null,
    isolation: stdio?.isolation === 'auto' ? null : (stdio?.isolation ?? null),
    url: http?.url ?? null,
    oauth: http?.oauth ? jsonb(oauth) : null,
    sealed:
      Object.keys(sensitive).length === 0
        ? null
        : envelope.seal(JSON.stringify(sensitive), { table: 'servers', id: row.id, owner: row.owner }),
    call_timeout_ms: registration.call_timeout_ms ?? null,
    start_timeout_ms: registration.start_timeout_ms ?? null,
    relays: registration.relays ?? false,
    pin_policy: registration.pin_policy ?? null,
    event_methods: registration.event_methods ? jsonb(registration.event_methods) : null,
  }
}

export function sensitiveIn(row: Pick<ServerRow, 'id' | 'owner' | 'sealed'>, envelope: Envelope): Sensitive {
  if (row.sealed === null) return {}
  const identity = { table: 'servers', id: row.id, owner: row.owner }
  return JSON.parse(envelope.open(row.sealed, identity)) as Sensitive
}

/** The registration that a row stands for. */
export function registrationOf(row: ServerRow, envelope: Envelope): Registration {
  const sensitive = sensitiveIn(row, envelope)
  const given = {
    name: row.name,
    scope: row.scope,
    identity: row.identity,
    enabled: row.enabled,
    ...(row.relays ? { relays: true } : {}),
    ...present('friendly_name', row.friendly_name),
    ...present('description', row.description),
    ...present('call_timeout_ms', row.call_timeout_ms),
    ...present('start_timeout_ms', row.start_timeout_ms),
    ...present('event_methods', row.event_methods),
    ...present('pin_policy', row.pin_policy),
  }
  if (row.transport === 'stdio') {
    return {
      ...given,
      transport: 'stdio',
      command: row.command ?? '',
      args: row.args ?? [],
      ...(sensitive.env ? { env: { ...sensitive.env } } : {}),
      ...present('cwd', row.cwd),
      ...present('isolation', row.isolation),
    }
  }
  return {
    ...given,
    transport: row.transport,
    url: row.url ?? '',
    ...(sensitive.headers ? { headers: { ...sensitive.headers } } : {}),
    ...present('api_key', sensitive.api_key ?? null),
    ...present(
      'oauth',
      row.oauth && { ...row.oauth, ...present('client_secret', sensitive.oauth_secret ?? null) },
    ),
  }
}

function present<K extends string, T>(key: K, value: T | null): { [P in K]?: T } {
  return (value === null ? {} : { [key]: value }) as { [P in K]?: T }
}

/** A registration with a patch laid over it; a masked value (`***`) keeps the one that is stored. */
export function patched(current: Registration, patch: RegistrationPatch): Registration {
  const kept = {
    ...current,
    ...patch,
    ...('env' in patch && patch.env
      ? { env: unmasked(patch.env, 'env' in current ? current.env : undefined) }
      : {}),
    ...('headers' in patch && patch.headers
      ? { headers: unmasked(patch.headers, 'headers' in current ? current.headers : undefined) }
      : {}),
  }
  const wanted =
    kept.transport === 'stdio'
      ? omit(kept, ['url', 'headers', 'api_key', 'oauth'])
      : omit(kept, ['command', 'args', 'env', 'cwd', 'isolation'])
  const parsed = Registration.safeParse(wanted)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new AppError('invalid_request', `${issue?.path.join('.')}: ${issue?.message}`)
}

function unmasked(
  given: Readonly<Record<string, string>>,
  stored: Readonly<Record<string, string>> | undefined,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, value === '***' ? (stored?.[name] ?? value) : value]),
  )
}

function omit(value: Readonly<Record<string, unknown>>, keys: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key)))
}
