import type { Actor } from '@althing/protocol/model/actor'
import type { ServerWithTools } from '@althing/protocol/model/server'
import type { Clock } from '@althing/runtime/clock'
import type { Envelope } from '@althing/runtime/envelope'
import { connectionOf } from './db/connections.ts'
import { serverView } from './db/server-view.ts'
import { serverById } from './db/servers.ts'
import { type ConnectionRow, type GatewayDb, principalOf, type ServerRow } from './db/tables.ts'
import type { ToolTable } from './db/tools.ts'

const LOOK_EVERY_MS = 250
/** How much longer than a start may take before the answer says what there is. */
const GRACE_MS = 5_000

interface SettleDeps {
  readonly db: GatewayDb
  readonly tools: ToolTable
  readonly envelope: Envelope
  readonly clock: Clock
  readonly startTimeoutMs: number
  /** Reconciles here and nudges the others. */
  readonly reconcile: (serverId: string) => Promise<void>
  /** Resolves at the next change of a connection that this instance hears of, or after the time. */
  readonly nextChange: (withinMs: number) => Promise<void>
}

/** Waits until a changed server came to rest at its newest generation, whichever instance owns it. */
export function settler({
  db,
  tools: listed,
  envelope,
  clock,
  startTimeoutMs,
  reconcile,
  nextChange,
}: SettleDeps) {
  return async (server: ServerRow, actor: Actor): Promise<ServerWithTools> => {
    await reconcile(server.id)
    const deadline = clock.monotonic() + (server.start_timeout_ms ?? startTimeoutMs) + GRACE_MS
    for (;;) {
      const connection = await connectionOf(db, server.id, principalOf(server, actor.user))
      const rests = connection === undefined || isAtRest(connection, server)
      if (rests || clock.monotonic() > deadline) {
        const [now, tools] = await Promise.all([serverById(db, server.id), listed.of(server)])
        const row = now ?? server
        return { ...serverView(row, connection, tools.length, envelope), tools, problems: row.tool_problems }
      }
      await nextChange(LOOK_EVERY_MS)
    }
  }
}

function isAtRest(connection: ConnectionRow, server: ServerRow): boolean {
  if (connection.generation < server.generation) return false
  if (!server.enabled) return connection.state === 'disabled'
  return ['running', 'failed', 'needs_auth', 'backing_off'].includes(connection.state)
}
