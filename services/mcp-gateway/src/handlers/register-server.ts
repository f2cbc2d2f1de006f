import { randomUUIDv7 } from 'node:crypto'
import { AppError } from '@althing/protocol/errors'
import type { Actor } from '@althing/protocol/model/actor'
import type { Registration, ServerWithTools } from '@althing/protocol/model/server'
import type { Envelope } from '@althing/runtime/envelope'
import { ensureConnectionRow } from '../db/connections.ts'
import { type GatewayDb, principalOf, type ServerRow } from '../db/tables.ts'
import { type MemberPolicy, maySee, mustBeAllowedToRegister } from '../servers/access.ts'
import { columnsOf } from '../servers/registration.ts'

export interface RegisterDeps {
  readonly db: GatewayDb
  readonly envelope: Envelope
  readonly policy: MemberPolicy
  /** Throws when the registration cannot lead anywhere as it is. */
  readonly mustResolve: (registration: Registration, owner: string) => Promise<void>
  /** Reconciles everywhere and answers once the connection came to rest. */
  readonly settle: (server: ServerRow, actor: Actor) => Promise<ServerWithTools>
}

export function registerServer(deps: RegisterDeps) {
  return async ({
    actor,
    registration,
  }: {
    actor: Actor
    registration: Registration
  }): Promise<ServerWithTools> => {
    const scope = registration.scope ?? (actor.role === 'admin' ? 'shared' : 'personal')
    mustBeAllowedToRegister(actor, { transport: registration.transport, scope }, deps.policy)
    await deps.mustResolve(registration, actor.user)
    const row = await store(deps, actor, registration, scope)
    await ensureConnectionRow(deps.db, row.id, principalOf(row, actor.user))
    return deps.settle(row, actor)
  }
}

/** The same name of the same owner is an update; of somebody else whose server this person sees, a conflict. */
async function store(
  { db, envelope }: RegisterDeps,
  actor: Actor,
  registration: Registration,
  scope: 'shared' | 'personal',
): Promise<ServerRow> {
  const { name } = registration
  return db.transaction().execute(async (trx) => {
    const sameName = await trx
      .selectFrom('servers')
      .selectAll()
      .where('name', '=', name)
      .forUpdate()
      .execute()
    const own = sameName.find((row) => row.owner === actor.user)
    const other = sameName.find(
      (row) =>
        row.owner !== actor.user && (maySee(actor, row) || (scope === 'shared' && row.scope === 'shared')),
    )
    if (other && (!own || scope === 'shared'))
      throw new AppError('server_name_taken', `There is a server "${name}" already, of another owner.`)
    const id = own?.id ?? randomUUIDv7()
    const columns = {
      ...columnsOf(registration, { id, owner: actor.user }, envelope),
      scope,
      owner_role: roleOf(actor),
    }
    if (own) {
      return trx
        .updateTable('servers')
        .set({ ...columns, generation: own.generation + 1 })
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirstOrThrow()
    }
    return trx
      .insertInto('servers')
      .values({ ...columns, id, name, owner: actor.user, generation: 1, tool_problems: '[]' })
      .onConflict((conflict) => conflict.doNothing())
      .returningAll()
      .executeTakeFirstOrThrow(
        () => new AppError('server_name_taken', `There is a server "${name}" already.`),
      )
  })
}

/** An auditor registers nothing, so whoever is no administrator is a member. */
export function roleOf(actor: Actor): 'admin' | 'member' {
  return actor.role === 'admin' ? 'admin' : 'member'
}
