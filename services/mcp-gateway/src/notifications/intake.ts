import { randomUUIDv7 } from 'node:crypto'
import type { ServerEvent } from '@althing/protocol/model/event'
import { type Clock, isoNow } from '@althing/runtime/clock'
import type { ServerRow } from '../db/tables.ts'
import type { Outlet } from './outlet.ts'
import { DEFAULT_EVENT_METHODS, routeOf } from './route.ts'

const LARGEST_PAYLOAD = 256 * 1024
const LONGEST_METHOD = 256

/** Turns the notifications of a server into its owner's events. */
export function eventIntake(
  server: ServerRow,
  outlet: Outlet,
  clock: Clock,
): (method: string, params: unknown) => void {
  const methods = server.event_methods ?? DEFAULT_EVENT_METHODS
  return (method, params) => {
    if (routeOf(method, methods) !== 'event') return
    const bytes = Buffer.byteLength(JSON.stringify(params ?? null))
    const payload =
      bytes > LARGEST_PAYLOAD ? { too_large: true, bytes, limit: LARGEST_PAYLOAD } : (params ?? {})
    const event: ServerEvent = {
      id: randomUUIDv7(),
      server_id: server.id,
      server: server.name,
      owner: server.owner,
      method: method.slice(0, LONGEST_METHOD),
      payload,
      received_at: isoNow(clock),
    }
    outlet.offer(event, Math.min(bytes, LARGEST_PAYLOAD))
  }
}
