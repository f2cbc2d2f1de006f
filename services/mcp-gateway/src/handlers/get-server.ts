import type { Actor } from '@althing/protocol/model/actor'
import type { Server } from '@althing/protocol/model/server'
import { connectionOf } from '../db/connections.ts'
import { serverView } from '../db/server-view.ts'
import { toolsOf } from '../db/servers.ts'
import { type GatewayDb, principalOf } from '../db/tables.ts'
import type { Envelope } from '../secrets/envelope.ts'
import { mustFind } from './find-server.ts'

export function getServer({ db, envelope }: { db: GatewayDb; envelope: Envelope }) {
  return async ({ actor, name }: { actor: Actor; name: string }): Promise<Server> => {
    const row = await mustFind(db, actor, name)
    const [connection, tools] = await Promise.all([
      connectionOf(db, row.id, principalOf(row, actor.user)),
      toolsOf(db, row.id),
    ])
    return serverView(row, connection, tools.length, envelope)
  }
}
