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

/** The grants of a session: they last as long as it does. */
export function sessionGrants(db: AgentDb, session: string): Grants {
  return {
    async list() {
      const rows = await db
        .selectFrom('grants')
        .selectAll()
        .where('session_id', '=', session)
        .orderBy('position')
        .execute()
      return rows.map((row) => ({ serverId: row.server_id, name: row.name }))
    },
    async add({ serverId, name }) {
      await db
        .insertInto('grants')
        .values({ session_id: session, server_id: serverId, name })
        .onConflict((conflict) => conflict.columns(['session_id', 'server_id']).doUpdateSet({ name }))
        .execute()
    },
    async remove(serverId) {
      await db
        .deleteFrom('grants')
        .where('session_id', '=', session)
        .where('server_id', '=', serverId)
        .execute()
    },
  }
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
