import type { Actor } from '@althing/protocol/model/actor'
import type { Server } from '@althing/protocol/model/server'
import type { Envelope } from '@althing/runtime/envelope'
import { connectionsOf } from '../db/connections.ts'
import { serverView } from '../db/server-view.ts'
import { listVisible } from '../db/servers.ts'
import { EVERYONE, type GatewayDb, principalOf } from '../db/tables.ts'
import type { ToolTable } from '../db/tools.ts'

export function listServers({
  db,
  envelope,
  tools,
}: {
  db: GatewayDb
  envelope: Envelope
  tools: ToolTable
}) {
  return async ({ actor }: { actor: Actor }): Promise<{ servers: Server[] }> => {
    const [rows, connections, counts] = await Promise.all([
      listVisible(db, actor),
      connectionsOf(db, [EVERYONE, actor.user]),
      tools.count(),
    ])
    const servers = rows.map((row) => {
      const principal = principalOf(row, actor.user)
      const connection = connections.find((one) => one.server_id === row.id && one.principal === principal)
      return serverView(row, connection, counts.get(row.id) ?? 0, envelope)
    })
    return { servers }
  }
}
