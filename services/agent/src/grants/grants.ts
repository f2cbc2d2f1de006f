import { sql } from 'kysely'
import type { AgentDb } from '../db/tables.ts'

/** A tool group that is active. Kept by the server's id: a server made anew under the same name has none. */
export interface Grant {
  readonly serverId: string
  readonly name: string
}

/** The groups that are active somewhere, in the order of their activation. */
export interface Grants {
  list(): Promise<Grant[]>
  add(grant: Grant): Promise<void>
  remove(serverId: string): Promise<void>
}

/** The grants of a session, which last as long as it does; or of a sub-agent in it, which end with its frame. */
export function sessionGrants(db: AgentDb, session: string, frame: string | null = null): Grants {
  const inFrame = frame === null ? sql<boolean>`frame_id is null` : sql<boolean>`frame_id = ${frame}`
  return {
    async list() {
      const rows = await db
        .selectFrom('grants')
        .selectAll()
        .where('session_id', '=', session)
        .where(inFrame)
        .orderBy('position')
        .execute()
      return rows.map((row) => ({ serverId: row.server_id, name: row.name }))
    },
    async add({ serverId, name }) {
      await db
        .insertInto('grants')
        .values({ session_id: session, frame_id: frame, server_id: serverId, name })
        .onConflict((conflict) =>
          conflict.columns(['session_id', 'frame_id', 'server_id']).doUpdateSet({ name }),
        )
        .execute()
    },
    async remove(serverId) {
      await db
        .deleteFrom('grants')
        .where('session_id', '=', session)
        .where(inFrame)
        .where('server_id', '=', serverId)
        .execute()
    },
  }
}

/** A sub-agent has ended: so have its grants. */
export async function dropFrame(db: AgentDb, frame: string): Promise<void> {
  await db.deleteFrom('grants').where('frame_id', '=', frame).execute()
}

/** Grants that end with the run that made them. */
export function passingGrants(): Grants {
  const grants = new Map<string, Grant>()
  return {
    list: async () => [...grants.values()],
    add: async (grant) => void grants.set(grant.serverId, grant),
    remove: async (serverId) => void grants.delete(serverId),
  }
}
