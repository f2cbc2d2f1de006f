import { Kysely, PostgresDialect, type RawBuilder, sql } from 'kysely'
import pg from 'pg'
import type { Log } from './log.ts'

export interface DatabaseOptions {
  readonly url: string
  readonly password?: string
  /** The service's own schema: the only one its role has rights on. */
  readonly schema: string
  readonly log: Log
  readonly max?: number
}

/** A pool of connections to the service's own schema. The caller destroys it: `await db.destroy()`. */
export function openDatabase<Tables>(options: DatabaseOptions): Kysely<Tables> {
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool: openPool(options) }) })
}

export function openPool({ url, password, schema, log, max = 10 }: DatabaseOptions): pg.Pool {
  const pool = new CleaningPool({
    connectionString: withPassword(url, password),
    max,
    options: `-c search_path=${schema}`,
    application_name: `althing-${schema}`,
    connectionTimeoutMillis: 10_000,
  })
  // Without a listener the loss of an idle connection ends the process.
  pool.on('error', (error) => log.warn({ err: error }, 'an idle database connection was lost'))
  // The pool stops listening while a connection is in use; its user hears of the loss at the next query.
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

/** The driver prefers what the address says, even an empty password, over one given beside it. */
export function withPassword(url: string, password: string | undefined): string {
  if (password === undefined) return url
  const address = new URL(url)
  address.password = encodeURIComponent(password)
  return address.href
}

/** Postgres refuses NUL and lone surrogates in text; the one place where they are replaced is here. */
class CleaningClient extends pg.Client {
  override query(...args: unknown[]): never {
    const [first, values] = args
    if (Array.isArray(values)) args[1] = values.map(cleanParameter)
    else if (first && typeof first === 'object' && 'values' in first && Array.isArray(first.values)) {
      args[0] = Object.assign(Object.create(Object.getPrototypeOf(first)), first, {
        values: first.values.map(cleanParameter),
      })
    }
    return super.query(...(args as Parameters<pg.Client['query']>)) as never
  }
}

class CleaningPool extends pg.Pool {
  constructor(config: pg.PoolConfig) {
    super({ ...config, Client: CleaningClient } as pg.PoolConfig)
  }
}

function cleanParameter(value: unknown): unknown {
  if (typeof value === 'string') return cleanText(value)
  if (Array.isArray(value)) return value.map(cleanParameter)
  return value
}

/** Text that Postgres stores: NUL and lone surrogates become U+FFFD. Clean text is returned as it is. */
export function cleanText(text: string): string {
  if (text.isWellFormed() && !text.includes('\0')) return text
  return text.toWellFormed().replaceAll('\0', '\uFFFD')
}

/** A jsonb parameter. Arrays and scalars too; strings and keys inside are cleaned like text. */
export function jsonb(value: unknown): RawBuilder<never> {
  return sql`${jsonText(value)}::jsonb`
}

export function jsonText(value: unknown): string {
  const text = JSON.stringify(value) ?? 'null'
  // JSON.stringify escapes exactly what Postgres refuses; a literal backslash before it is doubled and stays.
  if (!/\\u(?:0000|d[89a-f])/.test(text)) return text
  return JSON.stringify(value, (_key, inner: unknown) => {
    if (typeof inner === 'string') return cleanText(inner)
    if (inner && typeof inner === 'object' && !Array.isArray(inner)) {
      return Object.fromEntries(Object.entries(inner).map(([key, member]) => [cleanText(key), member]))
    }
    return inner
  })
}
