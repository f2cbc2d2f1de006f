import type { Clock } from '@althing/runtime/clock'
import type { Log } from '@althing/runtime/log'
import { sql } from 'kysely'
import type { TicDb } from './db/tables.ts'

export interface ScheduleDeps {
  readonly db: TicDb
  readonly worker: string
  readonly leaseMs: number
  readonly intervalMs: number
  readonly lookMs: number
  readonly clock: Clock
  readonly log: Log
  /** Runs a person's batches while the lease is kept; answers with milliseconds until the next run. */
  readonly runUser: (user: string, signal: AbortSignal) => Promise<number>
}

/** Persons whose runs one worker has going at once. */
const MOST_AT_ONCE = 8

/**
 * Finds who is due, takes their lease, runs them. A lease that is not renewed ends, and another worker goes on. A
 * person without pending events has no run at all.
 */
export class Schedule implements AsyncDisposable {
  readonly #deps: ScheduleDeps
  readonly #stopping = new AbortController()
  readonly #running = new Map<string, Promise<void>>()
  #looking: Promise<void> | undefined

  constructor(deps: ScheduleDeps) {
    this.#deps = deps
  }

  start(): void {
    this.#looking = this.#look()
  }

  /** Takes a person's lease now, whenever they are due. False: a run is on already, or nothing is pending. */
  async runNow(user: string): Promise<boolean> {
    const due = await this.#take(sql`schedules.user_id = ${user}`, 1)
    for (const one of due) this.#begin(one)
    return due.length > 0
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort()
    await this.#looking
    await Promise.allSettled(this.#running.values())
  }

  async #look(): Promise<void> {
    const { clock, lookMs, log } = this.#deps
    const { signal } = this.#stopping
    while (!signal.aborted) {
      try {
        const room = MOST_AT_ONCE - this.#running.size
        if (room > 0) for (const user of await this.#take(sql`next_run_at <= now()`, room)) this.#begin(user)
      } catch (error) {
        log.warn({ err: error }, 'due runs could not be looked up')
      }
      await clock.sleep(lookMs, signal).catch(() => {})
    }
  }

  async #take(which: ReturnType<typeof sql>, most: number): Promise<string[]> {
    const { db, worker, leaseMs } = this.#deps
    const { rows } = await sql<{ user_id: string }>`
      update schedules set worker = ${worker}, lease_until = now() + ${`${leaseMs} milliseconds`}::interval
      where user_id in (
        select user_id from schedules
        where ${which} and (lease_until is null or lease_until < now())
          and exists (select 1 from events where events.user_id = schedules.user_id and state in ('pending', 'claimed'))
        order by next_run_at limit ${most} for update skip locked)
      returning user_id`.execute(db)
    return rows.map((row) => row.user_id)
  }

  #begin(user: string): void {
    const run = this.#run(user).finally(() => this.#running.delete(user))
    this.#running.set(user, run)
  }

  async #run(user: string): Promise<void> {
    const { db, worker, leaseMs, log, intervalMs, runUser } = this.#deps
    const lost = new AbortController()
    const signal = AbortSignal.any([this.#stopping.signal, lost.signal])
    const renew = setInterval(() => {
      sql`update schedules set lease_until = now() + ${`${leaseMs} milliseconds`}::interval
          where user_id = ${user} and worker = ${worker} and lease_until > now()`
        .execute(db)
        .then((done) => {
          if (done.numAffectedRows === 0n) lost.abort()
        })
        .catch((error) => log.warn({ err: error }, 'a lease could not be renewed'))
    }, leaseMs / 3)
    let nextMs = intervalMs
    try {
      nextMs = await runUser(user, signal)
    } catch (error) {
      log.error({ err: error, user }, 'a run failed outside of its batch')
    } finally {
      clearInterval(renew)
      await sql`update schedules set worker = null, lease_until = null, next_run_at = now() + ${`${nextMs} milliseconds`}::interval
                where user_id = ${user} and worker = ${worker}`
        .execute(db)
        .catch((error) => log.warn({ err: error }, 'a lease could not be given back; it ends by itself'))
    }
  }
}
