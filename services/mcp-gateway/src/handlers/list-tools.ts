import type { Actor } from '@althing/protocol/model/actor'
import type { ToolList } from '@althing/protocol/model/server'
import type { GatewayDb } from '../db/tables.ts'
import type { ToolTable } from '../db/tools.ts'
import { mustFind } from './find-server.ts'

export function listTools({ db, tools }: { db: GatewayDb; tools: ToolTable }) {
  return async ({
    actor,
    name,
  }: {
    actor: Actor
    name: string
  }): Promise<ToolList & { server_id: string }> => {
    const row = await mustFind(db, actor, name)
    return { server_id: row.id, tools: await tools.of(row), problems: row.tool_problems }
  }
}
