import type { LiveEvent } from '@althing/protocol/model/live'
import type { Clock } from '@althing/runtime/clock'
import type { Log } from '@althing/runtime/log'
import { sql } from 'kysely'
import { expireCards } from '../approvals/expire.ts'
import type { TurnRow } from '../db/tables.ts'
import { Fence, TurnLost } from './fence.ts'
import { runTurn } from './run-turn.ts'
import { reached } from './steps.ts'
import { STOPPED } from './stopped.ts'
import type { TurnDeps } from './turn.ts'

export interface WorkerDeps extends TurnDeps {
  readonly worker: string
  readonly log: Log
  readonly clock: Clock
  readonly leaseMs: number
  readonly most: number
  readonly tell: (user: string, event: LiveEvent) => void
}

const LOOK_EVERY_MS = 1000

/** Takes turns under a lease and runs them; one that is not renewed any more is taken over by another worker. */
export class Worker implements AsyncDisposable {
  readonly #deps: WorkerDeps
  readonly #stopping = new AbortController()
  readonly #running = new Map<string, { readonly abort: AbortController; readonly done: Promise<void> }>()
  #wake = Promise.withResolvers<void>()
  #looking: Promise<void> | undefined

  constructor(deps: WorkerDeps) {
    this.#deps = deps
  }

  start(): void {
    this.#looking = this.#look()
  }

  /** Something may wait: look now instead of at the next second. */
  wake(): void {
    this.#wake.resolve()
  }

  /** A person wants this turn to end. */
  stop(turn: string): void {
    this.#running.get(turn)?.abort.abort(STOPPED)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort(new Error('this worker is stopping'))
    this.#wake.resolve()
    await this.#looking
    for (const { abort } of this.#running.values()) abort.abort(new Error('this worker is stopping'))
    await Promise.allSettled([...this.#running.values()].map(({ done }) => done))
  }

  async #look(): Promise<void> {
    const { clock, db, log, most } = this.#deps
    while (!this.#stopping.signal.aborted) {
      this.#wake = Promise.withResolvers<void>()
      try {
        while (this.#running.size < most && !this.#stopping.signal.aborted) {
          const turn = await this.#claim()
          if (turn === undefined) break
          this.#begin(turn)
        }
        for (const user of await expireCards(db)) this.#deps.onAsked(user)
      } catch (error) {
        log.warn({ err: error }, 'turns could not be looked for')
      }
      const pause = new AbortController()
      await Promise.race([this.#wake.promise, clock.sleep(LOOK_EVERY_MS, pause.signal).catch(() => {})])
      pause.abort()
    }
  }

  async #claim(): Promise<TurnRow | undefined> {
    const { db, worker, leaseMs } = this.#deps
    const { rows } = await sql<TurnRow>`
      update turns set state = 'running', worker = ${worker}, epoch = epoch + 1, lease_until = now() + ${`${leaseMs} milliseconds`}::interval
      where id = (
        select id from turns
        where state = 'queued' or (state = 'running' and (lease_until is null or lease_until < now()))
        order by created_at limit 1 for update skip locked)
      returning *`.execute(db)
    return rows[0]
  }

  #begin(turn: TurnRow): void {
    const abort = new AbortController()
    const done = this.#run(turn, abort).finally(() => {
      this.#running.delete(turn.id)
      this.wake()
    })
    this.#running.set(turn.id, { abort, done })
  }

  async #run(turn: TurnRow, abort: AbortController): Promise<void> {
    const { db, leaseMs, log, tell } = this.#deps
    reached('claimed')
    const mine = () =>
      db
        .updateTable('turns')
        .where('id', '=', turn.id)
        .where('epoch', '=', turn.epoch)
        .where('state', '=', 'running')
    const renew = setInterval(() => {
      mine()
        .set({ lease_until: sql`now() + ${`${leaseMs} milliseconds`}::interval` })
        .returning('stop_requested')
        .executeTakeFirst()
        .then((row) => {
          if (row === undefined) abort.abort(new TurnLost())
          else if (row.stop_requested) abort.abort(STOPPED)
        })
        .catch((error) => log.warn({ err: error }, 'a lease could not be renewed'))
    }, leaseMs / 4)
    try {
      const session = await db
        .selectFrom('sessions')
        .selectAll()
        .where('id', '=', turn.session_id)
        .executeTakeFirst()
      if (session === undefined) return
      if (turn.stop_requested) abort.abort(STOPPED)
      await runTurn(this.#deps, {
        session,
        fence: new Fence(db, session.id, turn.id, turn.epoch),
        unattended: turn.unattended,
        failures: turn.failures,
        tell: (event) => tell(session.user_id, event),
        signal: abort.signal,
      })
    } catch (error) {
      log.warn({ err: error, turn: turn.id }, 'a turn is left to another worker')
      // Given back at once where possible; else its lease ends by itself.
      const fault = !abort.signal.aborted && !(error instanceof TurnLost)
      await mine()
        .set(
          fault
            ? { lease_until: sql`now() + interval '1 second'`, failures: turn.failures + 1 }
            : { lease_until: null },
        )
        .execute()
        .catch(() => {})
    } finally {
      clearInterval(renew)
    }
  }
}
