import { AppError } from '@althing/protocol/errors'
import type { Envelope } from '@althing/runtime/envelope'
import type { Log } from '@althing/runtime/log'
import { sql } from 'kysely'
import type { GatewayDb } from '../db/tables.ts'

const BATCH = 100

/** A table whose `columns` hold sealed values, and the columns that identify a row of it. */
interface SealedTable {
  readonly table: string
  readonly columns: readonly string[]
  readonly identity: { readonly id: string; readonly owner: string }
}

/** Every place of the database that holds sealed values. */
const SEALED_TABLES: readonly SealedTable[] = [
  { table: 'servers', columns: ['sealed'], identity: { id: 'id', owner: 'owner' } },
  { table: 'secrets', columns: ['sealed'], identity: { id: 'id', owner: 'owner' } },
  { table: 'oauth_grants', columns: ['sealed'], identity: { id: 'id', owner: 'principal' } },
  { table: 'oauth_clients', columns: ['sealed'], identity: { id: 'id', owner: 'principal' } },
]

interface Row {
  readonly id: string
  readonly owner: string
  readonly sealed: Buffer | null
}

interface Resealed {
  readonly resealed: number
  readonly unreadable: number
}

/**
 * Seals everything with the current key that is not. Each value is replaced only while it is what was read, so that
 * several gateways may do this at once, and a change in between wins.
 */
async function reseal(
  db: GatewayDb,
  envelope: Envelope,
  tables: readonly SealedTable[],
  log: Log,
  signal: AbortSignal,
): Promise<Resealed> {
  let resealed = 0
  let unreadable = 0
  for (const table of tables) {
    for (const column of table.columns) {
      let after = ''
      for (;;) {
        signal.throwIfAborted()
        const rows = await readBatch(db, table, column, after)
        for (const row of rows) {
          const outcome = await resealRow(db, envelope, table, column, row, log)
          if (outcome === 'resealed') resealed++
          if (outcome === 'unreadable') unreadable++
        }
        const last = rows.at(-1)
        if (last === undefined || rows.length < BATCH) break
        after = last.id
      }
    }
  }
  if (resealed > 0 || unreadable > 0) log.info({ resealed, unreadable }, 'sealed values were sealed anew')
  return { resealed, unreadable }
}

/** Seals everything anew beside the work; ends when it is disposed. */
export function resealInBackground(db: GatewayDb, envelope: Envelope, log: Log): AsyncDisposable {
  const stopping = new AbortController()
  const done = reseal(db, envelope, SEALED_TABLES, log, stopping.signal).catch((error) => {
    if (!stopping.signal.aborted) log.error({ err: error }, 'sealed values could not be sealed anew')
  })
  return {
    async [Symbol.asyncDispose]() {
      stopping.abort()
      await done
    },
  }
}

async function readBatch(db: GatewayDb, table: SealedTable, column: string, after: string): Promise<Row[]> {
  const id = sql.ref(table.identity.id)
  const { rows } = await sql<Row>`
    select ${id}::text as id, ${sql.ref(table.identity.owner)} as owner, ${sql.ref(column)} as sealed
    from ${sql.table(table.table)}
    where ${id}::text > ${after} and ${sql.ref(column)} is not null
    order by ${id}::text limit ${BATCH}`.execute(db)
  return rows
}

async function resealRow(
  db: GatewayDb,
  envelope: Envelope,
  { table, identity }: SealedTable,
  column: string,
  { id, owner, sealed }: Row,
  log: Log,
): Promise<'kept' | 'resealed' | 'unreadable'> {
  if (sealed === null || envelope.isCurrent(sealed)) return 'kept'
  const row = { table, id, owner }
  try {
    const anew = envelope.seal(envelope.open(sealed, row), row)
    const { numAffectedRows } = await sql`
      update ${sql.table(table)} set ${sql.ref(column)} = ${anew}
      where ${sql.ref(identity.id)}::text = ${id} and ${sql.ref(column)} = ${sealed}`.execute(db)
    return numAffectedRows === 1n ? 'resealed' : 'kept'
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'secret_unreadable') throw error
    log.warn({ table, id, reason: error.message }, 'a sealed value cannot be read')
    return 'unreadable'
  }
}
