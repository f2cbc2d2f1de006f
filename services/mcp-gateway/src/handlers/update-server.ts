import { AppError } from '@althing/protocol/errors'
import type { Actor } from '@althing/protocol/model/actor'
import type { RegistrationPatch, ServerWithTools } from '@althing/protocol/model/server'
import type { GatewayDb } from '../db/tables.ts'
import { mustBeAllowedToChange, mustBeAllowedToRegister } from '../servers/access.ts'
import { columnsOf, patched, registrationOf } from '../servers/registration.ts'
import { mustFind } from './find-server.ts'
import { type RegisterDeps, roleOf } from './register-server.ts'

type Input = { actor: Actor; name: string; patch: RegistrationPatch }

export function updateServer({ db, envelope, policy, mustResolve, settle }: RegisterDeps) {
  return async ({ actor, name, patch }: Input): Promise<ServerWithTools> => {
    const row = await mustFind(db, actor, name)
    mustBeAllowedToChange(actor, row)
    const registration = patched(registrationOf(row, envelope), patch)
    const scope = registration.scope ?? row.scope
    mustBeAllowedToRegister(actor, { transport: registration.transport, scope }, policy)
    if (registration.enabled !== false) {
      const filler = registration.identity === 'per-user' ? actor.user : row.owner
      await mustResolve(registration, filler)
    }
    if (scope === 'shared' && row.scope !== 'shared') await mustBeFreeToShare(db, name)
    const updated = await db
      .updateTable('servers')
      .set((eb) => ({
        ...columnsOf(registration, row, envelope),
        scope,
        ...(actor.user === row.owner ? { owner_role: roleOf(actor) } : {}),
        generation: eb('generation', '+', 1),
      }))
      .where('id', '=', row.id)
      .returningAll()
      .executeTakeFirstOrThrow()
    return settle(updated, actor)
  }
}

async function mustBeFreeToShare(db: GatewayDb, name: string): Promise<void> {
  const shared = await db
    .selectFrom('servers')
    .select('id')
    .where('name', '=', name)
    .where('scope', '=', 'shared')
    .executeTakeFirst()
  if (shared)
    throw new AppError('server_name_taken', `There is a server "${name}" already that everybody shares.`)
}
