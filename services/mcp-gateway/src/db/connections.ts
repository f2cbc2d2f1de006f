import { randomUUIDv7 } from 'node:crypto'
import type { Failure } from '@althing/protocol/model/problem'
import type { Isolation, ServerState } from '@althing/protocol/model/server'
import { jsonb } from '@althing/runtime/db'
import { type ExpressionBuilder, sql } from 'kysely'
import type { ConnectionRow, GatewayDb, GatewayTables } from './tables.ts'

/** What the owner of a connection tells about it. */
export interface ConnectionReport {
  readonly state: ServerState
  readonly generation: number
  readonly error?: Failure
  readonly nextTryAt?: Date
  readonly era?: 'legacy' | 'modern'
  readonly protocolVersion?: string
  readonly capabilities?: Readonly<Record<string, unknown>>
  readonly instructions?: string
  readonly isolation?: Isolation
  readonly process?: { readonly pid: number; readonly startedAt: string }
}

export async function ensureConnectionRow(
  db: GatewayDb,
  serverId: string,
  principal: string,
): Promise<ConnectionRow> {
  await db
    .insertInto('connections')
    .values({ id: randomUUIDv7(), server_id: serverId, principal, state: 'starting' })
    .onConflict((conflict) => conflict.columns(['server_id', 'principal']).doNothing())
    .execute()
  return db
    .selectFrom('connections')
    .selectAll()
    .where('server_id', '=', serverId)
    .where('principal', '=', principal)
    .executeTakeFirstOrThrow()
}

export async function connectionsOf(db: GatewayDb, principals: readonly string[]): Promise<ConnectionRow[]> {
  return db.selectFrom('connections').selectAll().where('principal', 'in', principals).execute()
}

export async function connectionOf(
  db: GatewayDb,
  serverId: string,
  principal: string,
): Promise<ConnectionRow | undefined> {
  return db
    .selectFrom('connections')
    .selectAll()
    .where('server_id', '=', serverId)
    .where('principal', '=', principal)
    .executeTakeFirst()
}

/** Whether the owner of a connection still holds its lease, by the database's clock. */
function ownerLives(eb: ExpressionBuilder<GatewayTables, 'connections'>) {
  return eb.exists(
    eb
      .selectFrom('instances')
      .select('instances.id')
      .whereRef('instances.id', '=', 'connections.owner')
      .where('instances.lease_until', '>', sql<Date>`now()`),
  )
}

/** Takes a connection that nobody owns, or whose owner's lease ran out by the database's clock. */
export async function claim(db: GatewayDb, id: string, instance: string): Promise<ConnectionRow | undefined> {
  return db
    .updateTable('connections')
    .set((eb) => ({
      owner: instance,
      epoch: eb('epoch', '+', 1),
      state: 'starting',
      state_since: sql`now()`,
    }))
    .where('id', '=', id)
    .where((eb) => eb.or([eb('owner', 'is', null), eb.not(ownerLives(eb))]))
    .returningAll()
    .executeTakeFirst()
}

/**
 * Ends the term of a connection's owner, who stays the only one that may begin it anew: at its next look it sees that
 * the term is over, and at the one after that it begins.
 */
export async function endTerm(db: GatewayDb, serverId: string, principal: string): Promise<void> {
  await db
    .updateTable('connections')
    .set((eb) => ({
      epoch: eb('epoch', '+', 1),
      state: 'starting',
      state_since: sql`now()`,
      error: null,
      next_try_at: null,
    }))
    .where('server_id', '=', serverId)
    .where('principal', '=', principal)
    .execute()
}

/** Gives a connection up, unless somebody else took it meanwhile. */
export async function release(
  db: GatewayDb,
  id: string,
  instance: string,
  epoch: number,
  state: ServerState,
): Promise<void> {
  await db
    .updateTable('connections')
    .set({ owner: null, state, state_since: sql`now()`, pid: null, pid_started: null, next_try_at: null })
    .where('id', '=', id)
    .where('owner', '=', instance)
    .where('epoch', '=', epoch)
    .execute()
}

/** Removes a connection that was given up at this epoch, unless somebody took it meanwhile. */
export async function forgetConnection(db: GatewayDb, id: string, epoch: number): Promise<void> {
  await db
    .deleteFrom('connections')
    .where('id', '=', id)
    .where('owner', 'is', null)
    .where('epoch', '=', epoch)
    .execute()
}

/** Writes what the owner tells. False when it is not the owner any more: then it must stop at once. */
export async function report(
  db: GatewayDb,
  id: string,
  owner: { readonly instance: string; readonly epoch: number; readonly host: string },
  told: ConnectionReport,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('connections')
    .set({
      state: told.state,
      state_since: sql`now()`,
      generation: told.generation,
      error: told.error ? jsonb(told.error) : null,
      next_try_at: told.nextTryAt ?? null,
      ...(told.isolation === undefined ? {} : { isolation: told.isolation }),
      host: owner.host,
      pid: told.process?.pid ?? null,
      pid_started: told.process?.startedAt ?? null,
      ...(told.state === 'running'
        ? {
            ever_ran: true,
            era: told.era ?? null,
            protocol_version: told.protocolVersion ?? null,
            capabilities: jsonb(told.capabilities ?? {}),
            instructions: told.instructions ?? null,
          }
        : {}),
    })
    .where('id', '=', id)
    .where('owner', '=', owner.instance)
    .where('epoch', '=', owner.epoch)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** The connections of a switched-off server that nobody owns any more are disabled. */
export async function settleDisabled(db: GatewayDb, serverId: string, generation: number): Promise<void> {
  await db
    .updateTable('connections')
    .set({
      state: 'disabled',
      state_since: sql`now()`,
      owner: null,
      error: null,
      next_try_at: null,
      generation,
    })
    .where('server_id', '=', serverId)
    .where((eb) => eb.or([eb('state', '!=', 'disabled'), eb('generation', '!=', generation)]))
    .where((eb) => eb.not(ownerLives(eb)))
    .execute()
}
