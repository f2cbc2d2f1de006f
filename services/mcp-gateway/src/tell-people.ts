import { gatewayLive } from '@althing/protocol/bus/gateway'
import { EVERYBODY } from '@althing/protocol/bus/live-stream'
import type { LiveEvent } from '@althing/protocol/model/live'
import type { Failure } from '@althing/protocol/model/problem'
import type { ServerState } from '@althing/protocol/model/server'
import type { Bus } from '@althing/runtime/bus/bus'
import { type Clock, isoNow } from '@althing/runtime/clock'
import { EVERYONE, type ServerRow } from './db/tables.ts'

/** Tells open pages of a server: those of everybody who shares the connection, or of the one person whose it is. */
export function tellPeople(bus: Bus, clock: Clock) {
  const tell = (server: ServerRow, principal: string, event: LiveEvent) => {
    const everybody = server.scope === 'shared' ? EVERYBODY : server.owner
    bus.publish(gatewayLive, { user: principal === EVERYONE ? everybody : principal }, event)
  }
  const tellState = (
    server: ServerRow,
    principal: string,
    state: ServerState | 'deleted',
    toolCount: number,
    error?: Failure,
  ) =>
    tell(server, principal, {
      type: 'server.state',
      data: {
        server_id: server.id,
        name: server.name,
        state,
        state_since: isoNow(clock),
        tool_count: toolCount,
        ...(error ? { error } : {}),
      },
    })
  return { tell, tellState }
}
