import type { Actor } from '@althing/protocol/model/actor'
import type { Tool, ToolProblem } from '@althing/protocol/model/tool'
import { jsonb } from '@althing/runtime/db'
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

export async function toolsOf(db: GatewayDb, serverId: string): Promise<Tool[]> {
  const rows = await db
    .selectFrom('tools')
    .select('definition')
    .where('server_id', '=', serverId)
    .orderBy('position')
    .execute()
  return rows.map((row) => row.definition)
}

export async function toolsOfAll(db: GatewayDb, serverIds: readonly string[]): Promise<Map<string, Tool[]>> {
  const found = new Map<string, Tool[]>()
  if (serverIds.length === 0) return found
  const rows = await db
    .selectFrom('tools')
    .select(['server_id', 'definition'])
    .where('server_id', 'in', serverIds)
    .orderBy('position')
    .execute()
  for (const row of rows) found.set(row.server_id, [...(found.get(row.server_id) ?? []), row.definition])
  return found
}

export async function countTools(db: GatewayDb): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('tools')
    .select((eb) => ['server_id', eb.fn.countAll<string>().as('tools')])
    .groupBy('server_id')
    .execute()
  return new Map(rows.map((row) => [row.server_id, Number(row.tools)]))
}

/** Replaces what is known of a server's tools by what it listed now. */
export async function replaceTools(
  db: GatewayDb,
  serverId: string,
  tools: readonly Tool[],
  problems: readonly ToolProblem[],
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    // The connections of several people to one server list at the same time: they take turns.
    await trx.selectFrom('servers').select('id').where('id', '=', serverId).forUpdate().execute()
    await trx.deleteFrom('tools').where('server_id', '=', serverId).execute()
    if (tools.length > 0) {
      await trx
        .insertInto('tools')
        .values(
          tools.map((tool, position) => ({
            server_id: serverId,
            name: tool.name,
            alias: tool.alias,
            position,
            definition: jsonb(tool),
          })),
        )
        .execute()
    }
    await trx
      .updateTable('servers')
      .set({ tool_problems: jsonb(problems) })
      .where('id', '=', serverId)
      .execute()
  })
}
