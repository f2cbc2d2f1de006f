import { sql } from 'kysely'
import type { TicDb } from './db/tables.ts'

/** Any number of its own: one worker at a time sweeps. */
const LOCK = 4_710_623
const ROWS_AT_ONCE = 1_000

/** Removes settled events, done briefings and batches older than that many days, in small steps. */
export async function sweepOld(db: TicDb, days: number): Promise<void> {
  await db.connection().execute(async (one) => {
    const lock = await sql<{ got: boolean }>`select pg_try_advisory_lock(${LOCK}) as got`.execute(one)
    if (lock.rows[0]?.got !== true) return
    try {
      for (const table of ['events', 'briefings', 'batches'] as const) {
        while ((await sweep(one, table, days)) === ROWS_AT_ONCE);
      }
    } finally {
      await sql`select pg_advisory_unlock(${LOCK})`.execute(one)
    }
  })
}

const OLD = {
  events: sql`state in ('settled', 'dead') and received_at`,
  briefings: sql`state = 'done' and not exists (select 1 from events where briefing_id = briefings.id) and created_at`,
  batches: sql`state <> 'running' and not exists (select 1 from events where batch_id = batches.id)
    and not exists (select 1 from briefings where batch_id = batches.id) and started_at`,
}

async function sweep(db: TicDb, table: keyof typeof OLD, days: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from ${sql.table(table)} where id in (
      select id from ${sql.table(table)} where ${OLD[table]} < now() - ${`${days} days`}::interval limit ${ROWS_AT_ONCE})`.execute(
    db,
  )
  return Number(numAffectedRows ?? 0n)
}
