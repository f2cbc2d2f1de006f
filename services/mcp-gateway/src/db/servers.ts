import type { Actor } from '@althing/protocol/model/actor'
import { maySee } from '../servers/access.ts'
import type { GatewayDb, ServerRow } from './tables.ts'

/** The server that a name means for this person: their own hides a shared one. */
export async function findServer(db: GatewayDb, actor: Actor, name: string): Promise<ServerRow | undefined> {
  const rows = await db.selectFrom('servers').selectAll().where('name', '=', name).execute()
  const visible = rows.filter((row) => maySee(actor, row))
  return visible.find((row) => row.scope === 'personal') ?? visible[0]
}

/** Every server that this person sees, by name; their own hide shared ones of the same name. */
export async function listVisible(db: GatewayDb, actor: Actor): Promise<ServerRow[]> {
  const rows = await db
    .selectFrom('servers')
    .selectAll()
    .where((eb) => eb.or([eb('scope', '=', 'shared'), eb('owner', '=', actor.user)]))
    .orderBy('name')
    .execute()
  const own = new Set(rows.filter((row) => row.scope === 'personal').map((row) => row.name))
  return rows.filter((row) => row.scope === 'personal' || !own.has(row.name))
}

export async function serverById(db: GatewayDb, id: string): Promise<ServerRow | undefined> {
  return db.selectFrom('servers').selectAll().where('id', '=', id).executeTakeFirst()
}
