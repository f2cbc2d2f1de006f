import { AppError } from '@althing/protocol/errors'
import type { Actor } from '@althing/protocol/model/actor'
import { findServer } from '../db/servers.ts'
import type { GatewayDb, ServerRow } from '../db/tables.ts'

/** The server of that name for this person; another person's is as good as none. */
export async function mustFind(db: GatewayDb, actor: Actor, name: string): Promise<ServerRow> {
  const row = await findServer(db, actor, name)
  if (row === undefined) throw new AppError('server_not_found', `There is no server "${name}".`)
  return row
}
