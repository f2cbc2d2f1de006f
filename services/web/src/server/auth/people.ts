import { randomBytes, randomUUIDv7 } from 'node:crypto'
import { AppError } from '@althing/protocol/errors'
import type { Role } from '@althing/protocol/model/actor'
import type { User } from '@althing/protocol/model/user'
import { hashPassword } from 'better-auth/crypto'
import { type Kysely, sql, type Transaction } from 'kysely'
import * as z from 'zod'
import type { WebTables } from '../db/tables.ts'

/** Taken by whoever counts administrators before changing one, so that the last one stays. */
const ADMINISTRATORS_LOCK = 4_710_623
const UNIQUE_VIOLATION = '23505'
const COLUMNS = ['id', 'email', 'name', 'role'] as const

export interface PersonDraft {
  readonly email: string
  readonly name: string
  readonly role: Role
  readonly password: string
}

/** The accounts of the instance. */
export class People {
  readonly #db: Kysely<WebTables>

  constructor(db: Kysely<WebTables>) {
    this.#db = db
  }

  list(): Promise<User[]> {
    return this.#db.selectFrom('user').select(COLUMNS).orderBy('createdAt').orderBy('id').execute()
  }

  find(id: string): Promise<User | undefined> {
    return this.#db.selectFrom('user').select(COLUMNS).where('id', '=', id).executeTakeFirst()
  }

  async isEmpty(): Promise<boolean> {
    return (await this.#db.selectFrom('user').select('id').limit(1).executeTakeFirst()) === undefined
  }

  /** Throws `conflict` when the e-mail address has an account. */
  async create(draft: PersonDraft): Promise<User> {
    const hash = await hashPassword(draft.password)
    return this.#db.transaction().execute((tx) => insert(tx, draft, hash))
  }

  /** The first administrator, or undefined when the instance has accounts already. */
  async createFirst(draft: Omit<PersonDraft, 'role'>): Promise<User | undefined> {
    const hash = await hashPassword(draft.password)
    return this.#db.transaction().execute(async (tx) => {
      await lockAdministrators(tx)
      const some = await tx.selectFrom('user').select('id').limit(1).executeTakeFirst()
      return some ? undefined : insert(tx, { ...draft, role: 'admin' }, hash)
    })
  }

  /** Throws `not_found`, or `conflict` when the last administrator would lose that role. */
  async update(
    id: string,
    change: { readonly name?: string | undefined; readonly role?: Role | undefined },
  ): Promise<User> {
    return this.#db.transaction().execute(async (tx) => {
      const user = await mustFind(tx, id)
      if (change.role !== undefined && change.role !== 'admin') await mustNotBeLast(tx, user)
      return tx
        .updateTable('user')
        .set({ name: change.name ?? user.name, role: change.role ?? user.role, updatedAt: new Date() })
        .where('id', '=', id)
        .returning(COLUMNS)
        .executeTakeFirstOrThrow()
    })
  }

  /** Removes the account with its sign-ins and keys. Throws `not_found`, or `conflict` for the last administrator. */
  async remove(id: string): Promise<void> {
    await this.#db.transaction().execute(async (tx) => {
      await mustNotBeLast(tx, await mustFind(tx, id))
      await tx.deleteFrom('apikey').where('referenceId', '=', id).execute()
      await tx.deleteFrom('user').where('id', '=', id).execute()
    })
  }
}

export function makePassword(): string {
  return randomBytes(15).toString('base64url')
}

async function insert(tx: Transaction<WebTables>, draft: PersonDraft, hash: string): Promise<User> {
  const id = randomUUIDv7()
  const now = new Date()
  try {
    const user = await tx
      .insertInto('user')
      .values({
        id,
        email: draft.email.toLowerCase(),
        name: draft.name,
        role: draft.role,
        emailVerified: true,
      })
      .returning(COLUMNS)
      .executeTakeFirstOrThrow()
    await tx
      .insertInto('account')
      .values({
        id: randomUUIDv7(),
        accountId: id,
        providerId: 'credential',
        userId: id,
        password: hash,
        updatedAt: now,
      })
      .execute()
    return user
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === UNIQUE_VIOLATION) {
      throw new AppError('conflict', 'That e-mail address has an account already', { cause })
    }
    throw cause
  }
}

async function mustFind(tx: Transaction<WebTables>, id: string): Promise<User> {
  await lockAdministrators(tx)
  const user = z.uuid().safeParse(id).success
    ? await tx.selectFrom('user').select(COLUMNS).where('id', '=', id).executeTakeFirst()
    : undefined
  if (!user) throw new AppError('not_found', 'There is no such account')
  return user
}

async function mustNotBeLast(tx: Transaction<WebTables>, user: User): Promise<void> {
  if (user.role !== 'admin') return
  const other = await tx
    .selectFrom('user')
    .select('id')
    .where('role', '=', 'admin')
    .where('id', '!=', user.id)
    .limit(1)
    .executeTakeFirst()
  if (!other) throw new AppError('conflict', 'The last administrator stays one')
}

async function lockAdministrators(tx: Transaction<WebTables>): Promise<void> {
  await sql`select pg_advisory_xact_lock(${sql.lit(ADMINISTRATORS_LOCK)})`.execute(tx)
}
