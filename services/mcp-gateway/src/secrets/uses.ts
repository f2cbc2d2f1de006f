import { AppError } from '@althing/protocol/errors'
import type { Actor } from '@althing/protocol/model/actor'
import type { Envelope } from '@althing/runtime/envelope'
import { listVisible } from '../db/servers.ts'
import type { GatewayDb, ServerRow } from '../db/tables.ts'
import { registrationOf } from '../servers/registration.ts'
import { namesIn } from '../servers/target.ts'

export interface Use {
  readonly server: ServerRow
  readonly names: ReadonlySet<string>
}

/** The servers that are filled from this person's secrets, with the names they use. */
export async function usesOf(db: GatewayDb, envelope: Envelope, actor: Actor): Promise<Use[]> {
  const [visible, own] = await Promise.all([
    listVisible(db, actor),
    db.selectFrom('servers').selectAll().where('owner', '=', actor.user).execute(),
  ])
  const servers = new Map([...visible, ...own].map((server) => [server.id, server]))
  return [...servers.values()]
    .filter((server) => server.identity === 'per-user' || server.owner === actor.user)
    .map((server) => ({ server, names: namesUsedBy(server, envelope) }))
}

/** What cannot be read cannot be running, so it uses nothing. */
function namesUsedBy(server: ServerRow, envelope: Envelope): ReadonlySet<string> {
  try {
    return namesIn(registrationOf(server, envelope))
  } catch (error) {
    if (error instanceof AppError && error.code === 'secret_unreadable') return new Set()
    throw error
  }
}

/**
 * Connects what uses the secret anew: a server that serves everybody by a new generation, as an update does; of one
 * that everybody has a connection of their own to, this person's alone.
 */
export async function restartUses(
  db: GatewayDb,
  actor: Actor,
  servers: readonly ServerRow[],
  reconcile: (serverId: string) => Promise<void>,
): Promise<void> {
  await Promise.all(
    servers.map(async ({ id, identity }) => {
      if (identity === 'per-user') {
        await db
          .deleteFrom('connections')
          .where('server_id', '=', id)
          .where('principal', '=', actor.user)
          .execute()
      } else {
        await db
          .updateTable('servers')
          .set((eb) => ({ generation: eb('generation', '+', 1) }))
          .where('id', '=', id)
          .execute()
      }
      await reconcile(id)
    }),
  )
}
