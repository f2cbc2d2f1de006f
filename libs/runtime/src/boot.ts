import { randomBytes } from 'node:crypto'
import type { ServiceName } from '@althing/protocol/define'
import { type Kysely, sql } from 'kysely'
import { Bus } from './bus/bus.ts'
import type { ServiceConfig } from './config.ts'
import { openDatabase } from './db.ts'
import type { Check } from './http.ts'
import { type Log, openLog } from './log.ts'
import { openTelemetry, type Telemetry } from './telemetry.ts'

/** What every service stands on. */
export interface Base<Tables> {
  /** This process, as a subject token: new at every start. */
  readonly instance: string
  readonly log: Log
  readonly telemetry: Telemetry
  readonly db: Kysely<Tables>
  readonly bus: Bus
  /** Whether what it stands on works. */
  readonly checks: Readonly<Record<'database' | 'bus', Check>>
}

/** Opens what a service stands on, in order, on the service's own stack: the bus closes before the database. */
export async function openBase<Tables>(
  stack: AsyncDisposableStack,
  service: ServiceName,
  schema: string,
  config: ServiceConfig,
): Promise<Base<Tables>> {
  const instance = randomBytes(6).toString('hex')
  const log = openLog(service, instance, config.LOG_LEVEL)
  const telemetry = stack.use(openTelemetry(config.OTEL_EXPORTER_OTLP_ENDPOINT))
  const password = config.DATABASE_PASSWORD?.reveal()
  const db = openDatabase<Tables>({
    url: config.DATABASE_URL,
    ...(password === undefined ? {} : { password }),
    schema,
    log,
    max: 20,
  })
  stack.defer(() => db.destroy())
  const bus = stack.use(await Bus.open(service, instance, config, log))
  const checks = { database: async () => void (await sql`select 1`.execute(db)), bus: () => bus.check() }
  return { instance, log, telemetry, db, bus, checks }
}
