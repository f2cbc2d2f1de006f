import type { Connection, ConnectOptions } from '@althing/mcp-client/connection'
import type { Target } from '@althing/mcp-client/target'
import type { RawTool } from '@althing/mcp-client/tool-list'
import type { ServerEventBatch } from '@althing/protocol/model/event'
import type { LogLine } from '@althing/protocol/model/log'
import type { Clock } from '@althing/runtime/clock'
import type { ConnectionReport } from '../db/connections.ts'
import type { ConnectionRow, ServerRow } from '../db/tables.ts'
import type { ToolTable } from '../db/tools.ts'
import { mask, ServerLog } from '../logs/server-log.ts'
import { eventIntake } from '../notifications/intake.ts'
import { type OfferChange, offerChange } from '../notifications/offer-change.ts'
import { Outlet } from '../notifications/outlet.ts'
import type { Isolated } from '../sandbox/isolation.ts'
import { definitionOf } from '../tools/definition.ts'
import type { BackoffOptions } from './backoff.ts'
import { Supervisor } from './supervisor.ts'

export interface WiringDeps {
  readonly tools: ToolTable
  readonly clock: Clock
  readonly backoff: BackoffOptions
  readonly startTimeoutMs: number
  readonly connect: Pick<ConnectOptions, 'clientInfo' | 'probeTimeoutMs' | 'maxMessageBytes' | 'graceMs'>
  /** Where a row leads for a connection, how it is isolated, and what must not be logged of it. */
  readonly resolve: (server: ServerRow, row: ConnectionRow) => Promise<Isolated & { masked: string[] }>
  /** Adds the tokens of a principal to a target that takes them; each is told before it is used. */
  readonly authorized: (
    target: Target,
    serverId: string,
    principal: string,
    onSecret: (secret: string) => void,
  ) => Target
  readonly storeEvents: (serverId: string, batch: ServerEventBatch, id: string) => Promise<void>
  readonly publishLog: (server: ServerRow, lines: LogLine[]) => void
  readonly publishLive: (server: ServerRow, principal: string, line: LogLine) => void
  readonly rememberTools: (
    server: ServerRow,
    row: ConnectionRow,
    tools: ReadonlyMap<string, RawTool>,
    held: ReadonlySet<string>,
  ) => void
  readonly onRunning: (server: ServerRow, row: ConnectionRow, connection: Connection) => void
  readonly onOfferChanged: (serverId: string, change: OfferChange) => void
}

const FLUSH_MS = 2_000

/** A supervised connection with its log, its events and its tools going where they belong. */
export function supervisedConnection(
  deps: WiringDeps,
  server: ServerRow,
  row: ConnectionRow,
  onState: (told: ConnectionReport) => Promise<void>,
): Supervisor {
  const { clock, resolve } = deps
  const masked: string[] = []
  let isolation: ConnectionReport['isolation']
  const log = new ServerLog({
    clock,
    masked,
    publish: (lines) => deps.publishLog(server, lines),
    onLive: (line) => deps.publishLive(server, row.principal, line),
  })
  const outlet = new Outlet({
    clock,
    store: (events, id) => deps.storeEvents(server.id, { events: [...events] }, id),
    onDropped: (count) => log.write('lifecycle', `${count} events were dropped: the bus does not take them`),
  })
  const supervisor = new Supervisor({
    generation: server.generation,
    everRan: row.ever_ran,
    clock,
    backoff: deps.backoff,
    target: async () => {
      const resolved = await resolve(server, row)
      masked.splice(0, masked.length, ...resolved.masked)
      isolation = resolved.isolation
      if (resolved.note !== undefined) log.write('lifecycle', resolved.note)
      return deps.authorized(resolved.target, server.id, row.principal, (secret) => masked.push(secret))
    },
    connect: {
      ...deps.connect,
      relays: server.relays,
      startTimeoutMs: server.start_timeout_ms ?? deps.startTimeoutMs,
      onLog: ({ tag, text }) => log.write(tag, text),
      onNotification: eventIntake(server, outlet, clock),
      onOfferChanged: (method, params) => deps.onOfferChanged(server.id, offerChange(method, params)),
    },
    onTools: async ({ tools, problems }) => {
      const definitions = tools.map((tool) => definitionOf(server.name, tool))
      const changed = await deps.tools.take(server, definitions, problems)
      for (const name of changed) log.write('lifecycle', `the tool ${name} is not what was accepted`)
      const held = new Set(deps.tools.policyOf(server) === 'hold' ? changed : [])
      deps.rememberTools(server, row, new Map(tools.map((tool) => [tool.name, tool])), held)
    },
    onRunning: (connection) => deps.onRunning(server, row, connection),
    onState: (told) => onState(isolation === undefined ? told : { ...told, isolation }),
    mask: (text) => mask(text, masked),
    onLifecycle: (text) => log.write('lifecycle', text),
    onStopped: async () => {
      log.write('lifecycle', 'stopped')
      log.flush()
      await outlet.flush(FLUSH_MS)
    },
  })
  return supervisor
}
