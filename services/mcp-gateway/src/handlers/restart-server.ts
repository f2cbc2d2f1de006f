import { AppError } from '@althing/protocol/errors'
import type { Actor } from '@althing/protocol/model/actor'
import type { ServerWithTools } from '@althing/protocol/model/server'
import { mustBeAllowedToChange } from '../servers/access.ts'
import { mustFind } from './find-server.ts'
import type { RegisterDeps } from './register-server.ts'

export function restartServer({ db, settle }: Pick<RegisterDeps, 'db' | 'settle'>) {
  return async ({ actor, name }: { actor: Actor; name: string }): Promise<ServerWithTools> => {
    const row = await mustFind(db, actor, name)
    mustBeAllowedToChange(actor, row)
    if (!row.enabled)
      throw new AppError('conflict', `The server "${name}" is switched off. Switch it on first.`)
    const updated = await db
      .updateTable('servers')
      .set((eb) => ({ generation: eb('generation', '+', 1) }))
      .where('id', '=', row.id)
      .returningAll()
      .executeTakeFirstOrThrow()
    return settle(updated, actor)
  }
}
