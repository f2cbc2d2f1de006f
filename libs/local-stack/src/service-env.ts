import { join } from 'node:path'
import type { ServiceName } from '@althing/protocol/define'
import type { Keys } from './data-folder.ts'

/** The database role and schema of each service. */
export const ROLES: Readonly<Record<ServiceName, { readonly role: string; readonly schema: string }>> = {
  'mcp-gateway': { role: 'althing_gateway', schema: 'gateway' },
  agent: { role: 'althing_agent', schema: 'agent' },
  'tic-worker': { role: 'althing_tic', schema: 'tic' },
  web: { role: 'althing_web', schema: 'web' },
}

export const ENTRIES: Readonly<Record<ServiceName, string>> = {
  'mcp-gateway': 'services/mcp-gateway/src/main.ts',
  agent: 'services/agent/src/main.ts',
  'tic-worker': 'services/tic-worker/src/main.ts',
  web: 'services/web/src/server/main.ts',
}

/** The services that keep something sealed. */
const SEALING: readonly ServiceName[] = ['mcp-gateway', 'agent', 'tic-worker']

/** What is a secret of some services is given to no other. */
const PRIVATE: Readonly<Record<string, readonly ServiceName[]>> = {
  ALTHING_ADMIN_EMAIL: ['web'],
  ALTHING_ADMIN_PASSWORD: ['web'],
  ALTHING_MODEL_API_KEY: ['agent'],
  ALTHING_MASTER_KEY: SEALING,
  ALTHING_MASTER_KEY_FILE: SEALING,
  ALTHING_OLD_MASTER_KEYS: SEALING,
  ALTHING_OLD_MASTER_KEYS_FILE: SEALING,
  ALTHING_SMTP_URL: ['tic-worker'],
  ALTHING_SMTP_URL_FILE: ['tic-worker'],
  ALTHING_AUTH_SECRET: ['web'],
  ALTHING_AUTH_SECRET_FILE: ['web'],
}

export interface ServicePlace {
  readonly databaseUrl: string
  readonly natsUrl: string
  readonly dataDir: string
  readonly healthPort: number
  readonly web: { readonly host: string; readonly port: number }
}

/** The environment of one service: its own credentials, and the caller's variables that are meant for it. */
export function serviceEnv(
  service: ServiceName,
  keys: Keys,
  place: ServicePlace,
  caller: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const env: Record<string, string> = {}
  const named = (caller.ALTHING_SERVER_VARIABLES ?? '').split(',').map((name) => name.trim())
  for (const [name, value] of Object.entries(caller)) {
    if (value === undefined) continue
    const general = [
      'PATH',
      'HOME',
      'LANG',
      'TMPDIR',
      'LOG_LEVEL',
      'BUS_HEARTBEAT_MS',
      'OTEL_EXPORTER_OTLP_ENDPOINT',
    ].includes(name)
    const ours = name.startsWith('ALTHING_') && (PRIVATE[name]?.includes(service) ?? true)
    const lent = service === 'mcp-gateway' && named.includes(name)
    if (general || ours || lent) env[name] = value
  }
  return {
    ...env,
    DATABASE_URL: place.databaseUrl,
    DATABASE_PASSWORD: keys.database[service],
    NATS_URL: place.natsUrl,
    NATS_USER: service,
    NATS_PASSWORD: keys.nats[service],
    HEALTH_PORT: String(place.healthPort),
    ALTHING_DATA: place.dataDir,
    ...own(service, keys, place, env),
  }
}

function own(
  service: ServiceName,
  keys: Keys,
  place: ServicePlace,
  given: Record<string, string>,
): Record<string, string> {
  const sealed =
    !SEALING.includes(service) || given.ALTHING_MASTER_KEY || given.ALTHING_MASTER_KEY_FILE
      ? {}
      : { ALTHING_MASTER_KEY: keys.masterKey }
  if (service === 'mcp-gateway') {
    return { ALTHING_LOG_DIR: given.ALTHING_LOG_DIR || join(place.dataDir, 'logs', 'mcp'), ...sealed }
  }
  if (service === 'web') {
    const secret =
      given.ALTHING_AUTH_SECRET || given.ALTHING_AUTH_SECRET_FILE
        ? {}
        : { ALTHING_AUTH_SECRET: keys.authSecret }
    return { ...secret, HOST: place.web.host, PORT: String(place.web.port) }
  }
  return sealed
}
