import type { Clock } from '@althing/runtime/clock'
import { type RawBuilder, sql } from 'kysely'
import type { GatewayDb } from '../db/tables.ts'

export interface LeaseOptions {
  readonly instance: string
  readonly host: string
  readonly leaseMs: number
  readonly clock: Clock
}

/** How much earlier than the others an instance believes its own lease to be over. */
const MARGIN = 0.2

/** This instance's right to own connections: renewed in the database, ended by its own clock. */
export class Lease {
  readonly #db: GatewayDb
  readonly #options: LeaseOptions
  #renewedAt = Number.NEGATIVE_INFINITY

  constructor(db: GatewayDb, options: LeaseOptions) {
    this.#db = db
    this.#options = options
  }

  /** False once the others may soon believe this instance dead. Costs no I/O: it is asked before each call. */
  get holds(): boolean {
    const { clock, leaseMs } = this.#options
    return clock.monotonic() - this.#renewedAt < leaseMs * (1 - MARGIN)
  }

  async renew(): Promise<void> {
    const { instance, host, leaseMs, clock } = this.#options
    // The lease counts from before the request was sent, never from its answer.
    const asked = clock.monotonic()
    const until = leaseEnd(leaseMs)
    await this.#db
      .insertInto('instances')
      .values({ id: instance, host, lease_until: until })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ lease_until: until }))
      .execute()
    this.#renewedAt = asked
  }

  /** The instances that live, this one among them. */
  async living(): Promise<string[]> {
    const rows = await this.#db
      .selectFrom('instances')
      .select('id')
      .where('lease_until', '>', sql<Date>`now()`)
      .execute()
    return rows.map((row) => row.id)
  }

  /** Leaves at once, so that nobody waits for the lease to end. */
  async end(): Promise<void> {
    this.#renewedAt = Number.NEGATIVE_INFINITY
    await this.#db.deleteFrom('instances').where('id', '=', this.#options.instance).execute()
  }

  /** Removes instances that died long ago. */
  async forget(): Promise<void> {
    await this.#db
      .deleteFrom('instances')
      .where('lease_until', '<', sql<Date>`now() - interval '1 hour'`)
      .execute()
  }
}

function leaseEnd(leaseMs: number): RawBuilder<Date> {
  return sql<Date>`now() + ${`${leaseMs} milliseconds`}::interval`
}
