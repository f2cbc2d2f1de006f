import { AppError } from '@althing/protocol/errors'
import type { Actor } from '@althing/protocol/model/actor'
import type { Clock } from '@althing/runtime/clock'
import { connectionOf, ensureConnectionRow } from '../db/connections.ts'
import { type GatewayDb, principalOf } from '../db/tables.ts'
import { mustFind } from './find-server.ts'

const PATIENCE_MS = 8_000
const LOOK_EVERY_MS = 100

interface EnsureDeps {
  readonly db: GatewayDb
  readonly clock: Clock
  readonly living: () => Promise<string[]>
  readonly reconcile: (serverId: string) => Promise<void>
}

/** Answers once some gateway owns the connection; makes it first when this person has none yet. */
export function ensureConnection({ db, clock, living, reconcile }: EnsureDeps) {
  return async ({
    actor,
    name,
  }: {
    actor: Actor
    name: string
  }): Promise<{ connection: string; server_id: string }> => {
    const row = await mustFind(db, actor, name)
    if (!row.enabled) throw new AppError('server_not_running', `The server "${name}" is switched off.`)
    const principal = principalOf(row, actor.user)
    const { id } = await ensureConnectionRow(db, row.id, principal)
    const deadline = clock.monotonic() + PATIENCE_MS
    for (let looks = 0; ; looks++) {
      const [connection, instances] = await Promise.all([connectionOf(db, row.id, principal), living()])
      if (connection === undefined) throw new AppError('server_not_found', `There is no server "${name}".`)
      if (connection.owner !== null && instances.includes(connection.owner))
        return { connection: id, server_id: row.id }
      if (clock.monotonic() > deadline)
        throw new AppError('unavailable', `No gateway took the server "${name}" yet.`)
      // Whoever should own it is nudged once; after that its own heartbeat sees to it.
      if (looks === 0) await reconcile(row.id)
      else await clock.sleep(LOOK_EVERY_MS)
    }
  }
}
