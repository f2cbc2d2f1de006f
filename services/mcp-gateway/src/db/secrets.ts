import { randomUUIDv7 } from 'node:crypto'
import { AppError } from '@althing/protocol/errors'
import type { Envelope } from '@althing/runtime/envelope'
import { sql } from 'kysely'
import type { GatewayDb, SecretRow } from './tables.ts'

const MOST_SECRETS = 500

export type SecretMeta = Pick<SecretRow, 'name' | 'created_at' | 'updated_at'>

export async function secretsOf(db: GatewayDb, owner: string): Promise<SecretMeta[]> {
  return db
    .selectFrom('secrets')
    .select(['name', 'created_at', 'updated_at'])
    .where('owner', '=', owner)
    .orderBy('name')
    .execute()
}

/** The values of the named secrets that this person has. Throws `secret_unreadable` naming the secret. */
export async function openSecrets(
  db: GatewayDb,
  envelope: Envelope,
  owner: string,
  names: readonly string[],
): Promise<Map<string, string>> {
  if (names.length === 0) return new Map()
  const rows = await db
    .selectFrom('secrets')
    .selectAll()
    .where('owner', '=', owner)
    .where('name', 'in', names)
    .execute()
  return new Map(rows.map((row) => [row.name, openSecret(row, envelope)]))
}

/** Stores or replaces a secret. Throws `conflict` when the person has as many as one may have. */
export async function putSecret(
  db: GatewayDb,
  envelope: Envelope,
  owner: string,
  name: string,
  value: string,
): Promise<SecretMeta> {
  return db.transaction().execute(async (trx) => {
    // One person's changes take turns: the identity is sealed in, and the count must hold.
    await sql`select pg_advisory_xact_lock(hashtextextended(${`secrets of ${owner}`}, 0))`.execute(trx)
    const rows = await trx.selectFrom('secrets').select(['id', 'name']).where('owner', '=', owner).execute()
    const found = rows.find((row) => row.name === name)
    if (found === undefined && rows.length >= MOST_SECRETS)
      throw new AppError('conflict', `A person may have ${MOST_SECRETS} secrets; delete one first.`)
    const id = found?.id ?? randomUUIDv7()
    const sealed = envelope.seal(value, { table: 'secrets', id, owner })
    return trx
      .insertInto('secrets')
      .values({ id, owner, name, sealed })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ sealed, updated_at: sql`now()` }))
      .returning(['name', 'created_at', 'updated_at'])
      .executeTakeFirstOrThrow()
  })
}

export async function removeSecret(db: GatewayDb, owner: string, name: string): Promise<void> {
  await db.deleteFrom('secrets').where('owner', '=', owner).where('name', '=', name).execute()
}

function openSecret(row: SecretRow, envelope: Envelope): string {
  try {
    return envelope.open(row.sealed, { table: 'secrets', id: row.id, owner: row.owner })
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    throw new AppError(error.code, `The secret ${row.name} cannot be read: ${error.message}`, {
      cause: error,
    })
  }
}
