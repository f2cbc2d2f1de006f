import type { Offer } from '@althing/protocol/bus/gateway-relay'
import type { Actor } from '@althing/protocol/model/actor'
import { connectionsOf } from '../db/connections.ts'
import { listVisible } from '../db/servers.ts'
import { EVERYONE, type GatewayDb, principalOf } from '../db/tables.ts'
import type { ToolTable } from '../db/tools.ts'
import { mustFind } from './find-server.ts'

/** What the servers of a person offer, as far as it is known without asking them. */
export function listOffers(db: GatewayDb, table: ToolTable) {
  return async ({
    actor,
    name,
  }: {
    actor: Actor
    name?: string | undefined
  }): Promise<{ offers: Offer[] }> => {
    const rows = name === undefined ? await listVisible(db, actor) : [await mustFind(db, actor, name)]
    const [connections, tools] = await Promise.all([
      connectionsOf(db, [EVERYONE, actor.user]),
      table.ofAll(rows),
    ])
    const offers = rows.map((row) => {
      const principal = principalOf(row, actor.user)
      const connection = connections.find((one) => one.server_id === row.id && one.principal === principal)
      return {
        server_id: row.id,
        name: row.name,
        friendly_name: row.friendly_name ?? row.name,
        description: row.description ?? '',
        state: connection?.state ?? (row.enabled ? 'starting' : 'disabled'),
        ...(connection?.instructions ? { instructions: connection.instructions } : {}),
        ...(connection?.capabilities ? { capabilities: connection.capabilities } : {}),
        tools: row.enabled ? (tools.get(row.id) ?? []) : [],
      }
    })
    return { offers }
  }
}
