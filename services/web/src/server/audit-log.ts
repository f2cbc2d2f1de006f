import type { AuditEntry } from '@althing/protocol/model/user'
import type { Clock } from '@althing/runtime/clock'
import type { Log } from '@althing/runtime/log'
import type { Kysely } from 'kysely'
import type { WebTables } from './db/tables.ts'

const MOST_WAITING = 10_000
const MOST_AT_ONCE = 500
const RETRY_MS = 1_000

export type AuditDraft = Omit<AuditEntry, 'id' | 'at'>

/**
 * Who did what, when, from where. Writing never makes a request wait: entries are queued and stored in batches.
 * When the database is away for long the oldest entries stay and newer ones are counted and dropped.
 */
export class AuditLog implements AsyncDisposable {
  readonly #db: Kysely<WebTables>
  readonly #log: Log
  readonly #clock: Clock
  readonly #stopping = new AbortController()
  #waiting: (Omit<AuditDraft, 'id'> & { at: Date })[] = []
  #dropped = 0
  #writing: Promise<void> | undefined

  constructor(db: Kysely<WebTables>, log: Log, clock: Clock) {
    this.#db = db
    this.#log = log
    this.#clock = clock
  }

  add(draft: AuditDraft): void {
    if (this.#waiting.length >= MOST_WAITING) {
      this.#dropped += 1
      return
    }
    this.#waiting.push({ ...draft, at: new Date(this.#clock.now()) })
    this.#writing ??= this.#write().finally(() => {
      this.#writing = undefined
    })
  }

  async page(limit: number, cursor: string | undefined): Promise<{ entries: AuditEntry[]; next?: string }> {
    let query = this.#db.selectFrom('audit').selectAll().orderBy('id', 'desc').limit(limit)
    if (cursor !== undefined) query = query.where('id', '<', cursor)
    const rows = await query.execute()
    const last = rows.length === limit ? rows.at(-1) : undefined
    return {
      entries: rows.map((row) => ({ ...row, at: row.at.toISOString() })),
      ...(last ? { next: last.id } : {}),
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort()
    await this.#writing
  }

  async #write(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.slice(0, MOST_AT_ONCE)
      try {
        await this.#db.insertInto('audit').values(batch).execute()
        this.#waiting = this.#waiting.slice(batch.length)
      } catch (error) {
        this.#log.error({ err: error, waiting: this.#waiting.length }, 'the audit cannot be written')
        if (this.#stopping.signal.aborted) return
        await this.#clock.sleep(RETRY_MS, this.#stopping.signal).catch(() => {})
      }
      if (this.#dropped > 0) {
        this.#log.error({ dropped: this.#dropped }, 'audit entries were dropped')
        this.#dropped = 0
      }
    }
  }
}
