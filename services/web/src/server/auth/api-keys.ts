import { AppError } from '@althing/protocol/errors'
import type { ApiKey } from '@althing/protocol/model/user'
import type { Kysely } from 'kysely'
import * as z from 'zod'
import type { WebTables } from '../db/tables.ts'
import type { Accounts } from './accounts.ts'

/** The API keys of people. A key itself is shown once; only its hash is kept. */
export class ApiKeys {
  readonly #db: Kysely<WebTables>
  readonly #accounts: Accounts

  constructor(db: Kysely<WebTables>, accounts: Accounts) {
    this.#db = db
    this.#accounts = accounts
  }

  async list(user: string): Promise<ApiKey[]> {
    const rows = await this.#db
      .selectFrom('apikey')
      .select(['id', 'name', 'createdAt', 'lastRequest'])
      .where('referenceId', '=', user)
      .orderBy('createdAt', 'desc')
      .execute()
    return rows.map((row) => ({
      id: row.id,
      name: row.name ?? '',
      created_at: row.createdAt.toISOString(),
      ...(row.lastRequest === null ? {} : { last_used_at: row.lastRequest.toISOString() }),
    }))
  }

  async create(user: string, name: string): Promise<{ id: string; key: string }> {
    const { id, key } = await this.#accounts.api.createApiKey({ body: { userId: user, name } })
    return { id, key }
  }

  /** Throws `not_found` when the person has no such key. */
  async remove(user: string, id: string): Promise<void> {
    const { numDeletedRows } = z.uuid().safeParse(id).success
      ? await this.#db
          .deleteFrom('apikey')
          .where('id', '=', id)
          .where('referenceId', '=', user)
          .executeTakeFirstOrThrow()
      : { numDeletedRows: 0n }
    if (numDeletedRows === 0n) throw new AppError('not_found', 'There is no such API key')
  }
}
