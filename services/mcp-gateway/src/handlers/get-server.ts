import type { Actor } from '@althing/protocol/model/actor'
import type { Server } from '@althing/protocol/model/server'
import type { Envelope } from '@althing/runtime/envelope'
import { connectionOf } from '../db/connections.ts'
import { serverView } from '../db/server-view.ts'
import { type GatewayDb, principalOf } from '../db/tables.ts'
import type { ToolTable } from '../db/tools.ts'
import { mustFind } from './find-server.ts'

export function getServer({ db, envelope, tools }: { db: GatewayDb; envelope: Envelope; tools: ToolTable }) {
  return async ({ actor, name }: { actor: Actor; name: string }): Promise<Server> => {
    const row = await mustFind(db, actor, name)
    const [connection, listed] = await Promise.all([
      connectionOf(db, row.id, principalOf(row, actor.user)),
      tools.of(row),
    ])
    return serverView(row, connection, listed.length, envelope)
  }
}
