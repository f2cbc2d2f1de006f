import { randomUUIDv7 } from 'node:crypto'
import type { AppError } from '@althing/protocol/errors'
import type { ServerEvent, ServerEventBatch } from '@althing/protocol/model/event'
import type { LiveEvent } from '@althing/protocol/model/live'
import { jsonText } from '@althing/runtime/db'
import { sql } from 'kysely'
import type { TicDb } from './db/tables.ts'

export interface IntakeDeps {
  readonly db: TicDb
  readonly intervalMs: number
  readonly tell: (user: string, event: LiveEvent) => void
}

/** Live lines a batch may cause: a page needs to know that something came, not each of hundreds. */
const MOST_LIVE = 20

/**
 * Stores a message's events in one statement; whoever calls acknowledges after that. A message that comes again
 * changes nothing. The first pending event of a person sets their next run.
 */
export function storeEvents({ db, intervalMs, tell }: IntakeDeps) {
  return async ({ events }: ServerEventBatch): Promise<void> => {
    const fresh = await db.transaction().execute(async (trx) => {
      const { rows } = await sql<{ id: string }>`
        insert into events (id, server_id, server, user_id, method, payload, dedup_key, received_at)
        select * from jsonb_to_recordset(${jsonText(events.map(record))}::jsonb)
          as e(id uuid, server_id uuid, server text, user_id text, method text, payload jsonb, dedup_key text, received_at timestamptz)
        on conflict do nothing
        returning id`.execute(trx)
      for (const user of new Set(events.map((event) => event.owner))) {
        await sql`
          insert into schedules (user_id, next_run_at)
          values (${user}, now() + ${`${intervalMs} milliseconds`}::interval)
          on conflict (user_id) do nothing`.execute(trx)
      }
      return new Set(rows.map((row) => row.id))
    })
    for (const event of events.filter((one) => fresh.has(one.id)).slice(0, MOST_LIVE)) {
      const { id, server, method } = event
      tell(event.owner, { type: 'event.received', data: { id, server, method, state: 'pending' } })
    }
  }
}

function record(event: ServerEvent) {
  return {
    id: event.id,
    server_id: event.server_id,
    server: event.server,
    user_id: event.owner,
    method: event.method,
    // A JSON null would become an SQL null, which the column refuses.
    payload: event.payload ?? {},
    dedup_key: event.dedup_key ?? null,
    received_at: event.received_at,
  }
}

/** What can never be stored is kept as it came, with the reason, for somebody to look at. */
export function keepDead({ db }: Pick<IntakeDeps, 'db'>) {
  return async (data: Uint8Array, error: AppError): Promise<void> => {
    await db
      .insertInto('dead_messages')
      .values({ id: randomUUIDv7(), data: Buffer.from(data), reason: `${error.code}: ${error.message}` })
      .execute()
  }
}
