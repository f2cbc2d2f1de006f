import { withPassword } from '@althing/runtime/db'
import { Kysely as Database, type Kysely, PostgresDialect, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import pg from 'pg'
import { MIGRATIONS } from './list.ts'

/** Any number that no other program on the same cluster takes for its own lock. */
const LOCK = 4_710_622

/** Each schema with the one role that may touch it. */
const OWNERS = {
  gateway: 'althing_gateway',
  agent: 'althing_agent',
  tic: 'althing_tic',
  web: 'althing_web',
} as const

export type RolePasswords = Readonly<Record<keyof typeof OWNERS, string>>

/**
 * Brings the database to the newest schema: roles, schemas, rights, then the migrations that are still missing.
 * Several runs at once are safe: they take turns under an advisory lock, and the later ones find nothing to do.
 */
export async function migrate(
  adminUrl: string,
  passwords: RolePasswords,
  adminPassword?: string,
): Promise<string[]> {
  const pool = new pg.Pool({ connectionString: withPassword(adminUrl, adminPassword), max: 2 })
  const db = new Database<unknown>({ dialect: new PostgresDialect({ pool }) })
  const lock = await pool.connect()
  try {
    await lock.query('select pg_advisory_lock($1)', [LOCK])
    await ensureRoles(db, passwords)
    const { error, results = [] } = await migrator(db).migrateToLatest()
    if (error) throw error
    return results.map((result) => result.migrationName)
  } finally {
    await lock.query('select pg_advisory_unlock($1)', [LOCK]).catch(() => {})
    lock.release()
    await db.destroy()
  }
}

function migrator(db: Kysely<unknown>): Migrator {
  return new Migrator({
    db,
    provider: { getMigrations: async () => ({ ...MIGRATIONS }) },
    migrationTableSchema: 'public',
    migrationTableName: 'althing_migration',
    migrationLockTableName: 'althing_migration_lock',
  })
}

async function ensureRoles(db: Kysely<unknown>, passwords: RolePasswords): Promise<void> {
  for (const [schema, role] of Object.entries(OWNERS)) {
    const password = passwords[schema as keyof typeof OWNERS]
    const known = await sql`select 1 from pg_roles where rolname = ${role}`.execute(db)
    const verb = sql.raw(known.rows.length === 0 ? 'create' : 'alter')
    await sql`${verb} role ${sql.id(role)} login password ${sql.lit(password)}`.execute(db)
    await sql`create schema if not exists ${sql.id(schema)}`.execute(db)
    await sql`grant usage on schema ${sql.id(schema)} to ${sql.id(role)}`.execute(db)
    await sql`alter default privileges in schema ${sql.id(schema)}
      grant select, insert, update, delete on tables to ${sql.id(role)}`.execute(db)
    await sql`alter default privileges in schema ${sql.id(schema)}
      grant usage, select on sequences to ${sql.id(role)}`.execute(db)
  }
  await sql`revoke all on schema public from public`.execute(db)
}
