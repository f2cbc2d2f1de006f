import type { Actor } from '@althing/protocol/model/actor'
import type { ToolList } from '@althing/protocol/model/server'
import { toolsOf } from '../db/servers.ts'
import type { GatewayDb } from '../db/tables.ts'
import { mustFind } from './find-server.ts'

export function listTools({ db }: { db: GatewayDb }) {
  return async ({
    actor,
    name,
  }: {
    actor: Actor
    name: string
  }): Promise<ToolList & { server_id: string }> => {
    const row = await mustFind(db, actor, name)
    return { server_id: row.id, tools: await toolsOf(db, row.id), problems: row.tool_problems }
  }
}
