import { sql, type Transaction } from 'kysely'
import type { AgentDb, AgentTables } from '../db/tables.ts'
import { reached, type Step } from './steps.ts'

type StepName = Step extends infer S ? (S extends `${infer Name}:before` ? Name : never) : never

/** The turn was claimed anew: what this worker still wants to write does not count. */
export class TurnLost extends Error {
  override name = 'TurnLost'

  constructor() {
    super('another worker has this turn')
  }
}

/** A claimed turn. Everything its worker writes goes through here, and only while the claim is its own. */
export class Fence {
  readonly db: AgentDb
  readonly session: string
  readonly turn: string
  readonly #epoch: number

  constructor(db: AgentDb, session: string, turn: string, epoch: number) {
    this.db = db
    this.session = session
    this.turn = turn
    this.#epoch = epoch
  }

  /**
   * One step, written down whole or not at all. Rejects with `TurnLost` when another worker claimed the turn. The lock
   * is shared: steps of one turn may overlap, but none overlaps with a claim, an answer, or the end.
   */
  async step<T>(name: StepName, write: (trx: Transaction<AgentTables>) => Promise<T>): Promise<T> {
    reached(`${name}:before`)
    const written = await this.db.transaction().execute(async (trx) => {
      const mine = await sql`
        select 1 from turns where id = ${this.turn} and epoch = ${this.#epoch} and state = 'running' for share`.execute(
        trx,
      )
      if (mine.rows.length === 0) throw new TurnLost()
      return write(trx)
    })
    reached(`${name}:after`)
    return written
  }

  /** What people answered so far, by count; the first of two looks between which nothing may come. */
  async answers(): Promise<number> {
    const row = await this.db
      .selectFrom('turns')
      .select('answers')
      .where('id', '=', this.turn)
      .executeTakeFirst()
    return row?.answers ?? 0
  }

  /** Lets go of the turn until somebody answers. False when somebody did since `answers` was counted. */
  async park(answers: number): Promise<boolean> {
    reached('park:before')
    const { numUpdatedRows } = await this.db
      .updateTable('turns')
      .set({ state: 'waiting', worker: null, lease_until: null })
      .where('id', '=', this.turn)
      .where('epoch', '=', this.#epoch)
      .where('state', '=', 'running')
      .where('answers', '=', answers)
      .where('stop_requested', '=', false)
      .executeTakeFirst()
    reached('park:after')
    return numUpdatedRows > 0n
  }
}
