import { createHash, randomUUIDv7 } from 'node:crypto'
import type { PendingConsent } from '@althing/mcp-client/auth/authorization'
import type { Challenge } from '@althing/mcp-client/auth/challenge'
import type { ClientInformation, Grant, GrantContent, GrantStore } from '@althing/mcp-client/auth/grant'
import { jsonb } from '@althing/runtime/db'
import type { Envelope, RowIdentity } from '@althing/runtime/envelope'
import { sql } from 'kysely'
import type { GatewayDb } from './tables.ts'

const PENDING_MINUTES = 10

/** Whose consent, to which server, at which address: a token goes nowhere else when a server moves. */
export interface Place {
  readonly serverId: string
  readonly principal: string
  readonly url: string
}

/** The grant of one place, shared by all replicas. */
export class DbGrants implements GrantStore {
  readonly #db: GatewayDb
  readonly #envelope: Envelope
  readonly #place: Place

  constructor(db: GatewayDb, envelope: Envelope, place: Place) {
    this.#db = db
    this.#envelope = envelope
    this.#place = place
  }

  async read(): Promise<Grant | undefined> {
    const { serverId, principal, url } = this.#place
    const row = await this.#db
      .selectFrom('oauth_grants')
      .select(['version', 'sealed'])
      .select(sql<number>`extract(epoch from now() - given_at)::float8 * 1000`.as('age_ms'))
      .where('server_id', '=', serverId)
      .where('principal', '=', principal)
      .where('url', '=', url)
      .executeTakeFirst()
    if (row === undefined) return undefined
    const content = JSON.parse(this.#envelope.open(row.sealed, this.#identity)) as GrantContent
    return { ...content, version: row.version, ageMs: row.age_ms }
  }

  /** A new consent: replaces whatever there is. */
  async put(content: GrantContent): Promise<void> {
    const { serverId, principal } = this.#place
    const row = { ...this.#row(content), server_id: serverId, principal }
    await this.#db
      .insertInto('oauth_grants')
      .values(row)
      .onConflict((conflict) => conflict.columns(['server_id', 'principal']).doUpdateSet(row))
      .execute()
  }

  async claimRenewal(version: string, leaseMs: number): Promise<boolean> {
    const { numUpdatedRows } = await this.#at(version)
      .set({ renewal_until: sql`now() + make_interval(secs => ${leaseMs / 1000})` })
      .where((eb) => eb.or([eb('renewal_until', 'is', null), eb('renewal_until', '<', sql<Date>`now()`)]))
      .executeTakeFirst()
    return numUpdatedRows > 0n
  }

  async endClaim(version: string): Promise<void> {
    await this.#at(version).set({ renewal_until: null }).execute()
  }

  async renew(version: string, content: GrantContent): Promise<Grant | undefined> {
    const row = this.#row(content)
    const { numUpdatedRows } = await this.#at(version).set(row).executeTakeFirst()
    return numUpdatedRows > 0n ? { ...content, version: row.version, ageMs: 0 } : undefined
  }

  async drop(version: string): Promise<void> {
    const { serverId, principal } = this.#place
    await this.#db
      .deleteFrom('oauth_grants')
      .where('server_id', '=', serverId)
      .where('principal', '=', principal)
      .where('version', '=', version)
      .execute()
  }

  async note(challenge: Challenge): Promise<void> {
    const { serverId, principal } = this.#place
    await this.#db
      .insertInto('oauth_challenges')
      .values({ server_id: serverId, principal, challenge: jsonb(challenge) })
      .onConflict((conflict) =>
        conflict.columns(['server_id', 'principal']).doUpdateSet({
          challenge: sql`oauth_challenges.challenge || excluded.challenge`,
        }),
      )
      .execute()
  }

  get #identity(): RowIdentity {
    const { serverId, principal } = this.#place
    return { table: 'oauth_grants', id: `${serverId}/${principal}`, owner: principal }
  }

  #row(content: GrantContent) {
    return {
      url: this.#place.url,
      issuer: content.issuer,
      version: randomUUIDv7(),
      sealed: this.#envelope.seal(JSON.stringify(content), this.#identity),
      given_at: sql<Date>`now()`,
      renewal_until: null,
    }
  }

  #at(version: string) {
    const { serverId, principal } = this.#place
    return this.#db
      .updateTable('oauth_grants')
      .where('server_id', '=', serverId)
      .where('principal', '=', principal)
      .where('version', '=', version)
  }
}

/** What the server asked of this principal last; of another, for who never tried: it says where to look. */
export async function challengeAt(db: GatewayDb, { serverId, principal }: Place): Promise<Challenge> {
  const row = await db
    .selectFrom('oauth_challenges')
    .select('challenge')
    .where('server_id', '=', serverId)
    .orderBy(sql`principal = ${principal}`, 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.challenge ?? {}
}

/** As what a place is registered with an authorization server. */
export class DbClients {
  readonly #db: GatewayDb
  readonly #envelope: Envelope
  readonly #place: Place

  constructor(db: GatewayDb, envelope: Envelope, place: Place) {
    this.#db = db
    this.#envelope = envelope
    this.#place = place
  }

  async find(issuer: string): Promise<ClientInformation | undefined> {
    const { serverId, principal } = this.#place
    const row = await this.#db
      .selectFrom('oauth_clients')
      .select('sealed')
      .where('server_id', '=', serverId)
      .where('principal', '=', principal)
      .where('issuer', '=', issuer)
      .executeTakeFirst()
    return row && (JSON.parse(this.#envelope.open(row.sealed, this.#identity(issuer))) as ClientInformation)
  }

  async put(issuer: string, client: ClientInformation): Promise<void> {
    const sealed = this.#envelope.seal(JSON.stringify(client), this.#identity(issuer))
    await this.#db
      .insertInto('oauth_clients')
      .values({ server_id: this.#place.serverId, principal: this.#place.principal, issuer, sealed })
      .onConflict((conflict) =>
        conflict.columns(['server_id', 'principal', 'issuer']).doUpdateSet({ sealed }),
      )
      .execute()
  }

  #identity(issuer: string): RowIdentity {
    const { serverId, principal } = this.#place
    return { table: 'oauth_clients', id: `${serverId}/${principal}/${issuer}`, owner: principal }
  }
}

/** Forgets all that a place knows of signing in. */
export async function forgetPlace(db: GatewayDb, { serverId, principal }: Place): Promise<void> {
  await db.transaction().execute(async (trx) => {
    for (const table of ['oauth_grants', 'oauth_clients', 'oauth_challenges', 'oauth_pending'] as const) {
      await trx
        .deleteFrom(table)
        .where('server_id', '=', serverId)
        .where('principal', '=', principal)
        .execute()
    }
  })
}

export interface Pending {
  readonly place: Place
  /** Who asked. */
  readonly person: string
  readonly consent: PendingConsent
}

export async function keepPending(
  db: GatewayDb,
  envelope: Envelope,
  state: string,
  { place, person, consent }: Pending,
): Promise<void> {
  const digest = digestOf(state)
  await db.deleteFrom('oauth_pending').where('expires_at', '<', sql<Date>`now()`).execute()
  await db
    .insertInto('oauth_pending')
    .values({
      state_digest: digest,
      server_id: place.serverId,
      principal: place.principal,
      person,
      url: place.url,
      sealed: envelope.seal(JSON.stringify(consent), pendingIdentity(digest, person)),
      expires_at: sql<Date>`now() + make_interval(mins => ${PENDING_MINUTES})`,
    })
    .execute()
}

/** Takes a pending consent: it can be redeemed once. Of somebody else than `person`, when given, it is left alone. */
export async function takePending(
  db: GatewayDb,
  envelope: Envelope,
  state: string,
  person: string | undefined,
): Promise<Pending | undefined> {
  const digest = digestOf(state)
  const row = await db
    .deleteFrom('oauth_pending')
    .where('state_digest', '=', digest)
    .where('expires_at', '>', sql<Date>`now()`)
    .$if(person !== undefined, (query) => query.where('person', '=', person ?? ''))
    .returningAll()
    .executeTakeFirst()
  if (row === undefined) return undefined
  return {
    place: { serverId: row.server_id, principal: row.principal, url: row.url },
    person: row.person,
    consent: JSON.parse(envelope.open(row.sealed, pendingIdentity(digest, row.person))) as PendingConsent,
  }
}

function digestOf(state: string): Buffer {
  return createHash('sha256').update(state).digest()
}

function pendingIdentity(digest: Buffer, person: string): RowIdentity {
  return { table: 'oauth_pending', id: digest.toString('hex'), owner: person }
}
