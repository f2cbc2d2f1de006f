import type { Actor } from '@althing/protocol/model/actor'
import type { GatewayDb, ServerRow } from '../db/tables.ts'
import { mustBeAllowedToChange } from '../servers/access.ts'
import { mustFind } from './find-server.ts'
import type { RegisterDeps } from './register-server.ts'

interface DeleteDeps {
  readonly db: GatewayDb
  readonly settle: RegisterDeps['settle']
  readonly onDeleted: (server: ServerRow) => void
}

/** Switched off first, everywhere, so that no process is left when the row goes. */
export function deleteServer({ db, settle, onDeleted }: DeleteDeps) {
  return async ({ actor, name }: { actor: Actor; name: string }): Promise<Record<string, never>> => {
    const row = await mustFind(db, actor, name)
    mustBeAllowedToChange(actor, row)
    const off = await db
      .updateTable('servers')
      .set((eb) => ({ enabled: false, generation: eb('generation', '+', 1) }))
      .where('id', '=', row.id)
      .returningAll()
      .executeTakeFirst()
    if (off) await settle(off, actor)
    await db.deleteFrom('servers').where('id', '=', row.id).execute()
    onDeleted(row)
    return {}
  }
}
