import { setTimeout as wait } from 'node:timers/promises'
import { killGroup } from '@althing/mcp-client/transport/process-group'
import type { Log } from '@althing/runtime/log'
import {
  type ConnectionReport,
  claim,
  forgetConnection,
  release,
  report,
  settleDisabled,
} from '../db/connections.ts'
import { type ConnectionRow, EVERYONE, type GatewayDb, type ServerRow } from '../db/tables.ts'
import type { Children } from '../sandbox/children.ts'
import type { Lease } from './lease.ts'
import { ownerFor } from './placement.ts'
import type { Supervisor } from './supervisor.ts'
import { unlessAborted } from './unless-aborted.ts'

/** How long calls in flight may hold up a hand-over. */
const HAND_OVER_MS = 10_000

/** A connection that this instance owns and serves. */
export interface Live {
  readonly server: ServerRow
  readonly row: ConnectionRow
  readonly supervisor: Supervisor
  readonly use: { calls: number; lastAt: number }
  /** Its calls reach this instance while this stands. */
  readonly serving: { drain(): Promise<void> }
}

export interface RegistryDeps {
  readonly db: GatewayDb
  readonly lease: Lease
  readonly instance: string
  readonly host: string
  readonly log: Log
  readonly heartbeatMs: number
  /** Milliseconds that a connection of one person is kept without a call. */
  readonly idleMs: number
  /** The child processes of this machine, those of dead gateways among them. */
  readonly children: Children
  /** Starts to supervise; `onState` must be called before a state is in force. */
  readonly supervise: (
    server: ServerRow,
    row: ConnectionRow,
    onState: (told: ConnectionReport) => Promise<void>,
  ) => Supervisor
  /** Subscribes the connection's call subject; resolves once the bus knows. */
  readonly serve: (connection: string) => Promise<{ drain(): Promise<void> }>
  /** A state was written down. */
  readonly onWritten: (server: ServerRow, row: ConnectionRow, told: ConnectionReport) => void
  /** Tells the other instances to look. */
  readonly nudge: (serverId: string) => void
}

/**
 * What should be against what is. Every change of a server is a change of its row, followed by `reconcile`; nothing
 * else starts, stops or restarts a connection.
 */
export class Registry implements AsyncDisposable {
  readonly #deps: RegistryDeps
  readonly #live = new Map<string, Live>()
  readonly #stopping = new AbortController()
  readonly #turns = new Map<string, Promise<void>>()
  #living: readonly string[] = []
  #beating: Promise<void> | undefined
  #watching: Promise<void> | undefined

  constructor(deps: RegistryDeps) {
    this.#deps = deps
  }

  async start(): Promise<void> {
    await this.#deps.lease.renew()
    await this.#deps.lease.forget()
    await this.#deps.children.endOrphans()
    await this.#sweep()
    this.#beating = this.#beat()
    this.#watching = this.#watch()
  }

  /** The connection, when this instance owns it and may still act on it. */
  find(connection: string): Live | undefined {
    return this.#deps.lease.holds ? this.#live.get(connection) : undefined
  }

  /** Runs a call on a connection, which counts as used until it is over. */
  async using<T>(connection: string, work: () => Promise<T>): Promise<T> {
    const use = this.#live.get(connection)?.use
    if (use) use.calls++
    try {
      return await work()
    } finally {
      if (use) {
        use.calls--
        use.lastAt = performance.now()
      }
    }
  }

  /** Brings what this instance runs of a server in line with its rows. Runs for one server take turns. */
  reconcile(serverId: string): Promise<void> {
    return this.#inTurn(serverId, async () => {
      const { db, lease } = this.#deps
      const [server, rows, living] = await Promise.all([
        db.selectFrom('servers').selectAll().where('id', '=', serverId).executeTakeFirst(),
        db.selectFrom('connections').selectAll().where('server_id', '=', serverId).execute(),
        lease.living(),
      ])
      await this.#settle(serverId, server, rows, living)
    })
  }

  /** Hands everything over: calls in flight are finished first, then the next owner may start. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort()
    await Promise.all([this.#beating, this.#watching])
    await Promise.allSettled(this.#turns.values())
    await Promise.all([...this.#live.keys()].map((id) => this.#end(id, 'starting', HAND_OVER_MS)))
    await this.#deps.lease.end().catch(() => {})
  }

  async #beat(): Promise<void> {
    const { lease, heartbeatMs, log } = this.#deps
    const { signal } = this.#stopping
    while (!signal.aborted) {
      await wait(heartbeatMs, undefined, { signal }).catch(() => {})
      if (signal.aborted) return
      try {
        await unlessAborted(
          lease.renew().then(() => Promise.all([this.#sweep(), this.#reap()])),
          signal,
        )
      } catch (error) {
        if (!signal.aborted) log.warn({ err: error }, 'the lease could not be renewed')
      }
    }
  }

  /** Looks at the lease by this instance's own clock: a database that is silent must not hold up the fence. */
  async #watch(): Promise<void> {
    const { lease, heartbeatMs } = this.#deps
    const { signal } = this.#stopping
    while (!signal.aborted) {
      await wait(heartbeatMs / 4, undefined, { signal }).catch(() => {})
      if (!signal.aborted && !lease.holds) await this.#fence()
    }
  }

  /** Others may own these by now: end them without a word to the database. */
  async #fence(): Promise<void> {
    if (this.#live.size === 0) return
    this.#deps.log.error('the lease ended: giving up all connections')
    await Promise.all([...this.#live.keys()].map((id) => this.#drop(id)))
  }

  /** Looks at every server; one that is being reconciled already, or is slow, delays no other. */
  async #sweep(): Promise<void> {
    const { db, lease } = this.#deps
    const [servers, rows, living] = await Promise.all([
      db.selectFrom('servers').selectAll().execute(),
      db.selectFrom('connections').selectAll().execute(),
      lease.living(),
    ])
    if (this.#living.some((one) => !living.includes(one)))
      void this.#deps.children.endOrphans().catch(() => {})
    this.#living = living
    const byId = new Map(servers.map((server) => [server.id, server]))
    const owned = [...this.#live.values()].map((live) => live.server.id)
    for (const id of new Set([...byId.keys(), ...owned])) {
      if (this.#turns.has(id)) continue
      const own = rows.filter((row) => row.server_id === id)
      void this.#inTurn(id, () => this.#settle(id, byId.get(id), own, living)).catch(() => {})
    }
  }

  /** Connections of single people are made on demand; without a call for a while they are given up again. */
  async #reap(): Promise<void> {
    const idleSince = performance.now() - this.#deps.idleMs
    const idle = [...this.#live.values()].filter(
      ({ row, use }) => row.principal !== EVERYONE && use.calls === 0 && use.lastAt < idleSince,
    )
    for (const live of idle) {
      void this.#inTurn(live.server.id, async () => {
        if (live.use.calls > 0) return
        await this.#end(live.row.id, 'starting', 0)
        await forgetConnection(this.#deps.db, live.row.id, live.row.epoch)
      }).catch(() => {})
    }
  }

  #inTurn(serverId: string, work: () => Promise<void>): Promise<void> {
    const turn = (this.#turns.get(serverId) ?? Promise.resolve()).catch(() => {}).then(work)
    this.#turns.set(serverId, turn)
    const over = () => {
      if (this.#turns.get(serverId) === turn) this.#turns.delete(serverId)
    }
    turn.then(over, (error) => {
      over()
      this.#deps.log.warn(
        { err: error, server: serverId },
        'reconciling failed; the next heartbeat tries again',
      )
    })
    return turn
  }

  async #settle(
    serverId: string,
    server: ServerRow | undefined,
    rows: readonly ConnectionRow[],
    living: readonly string[],
  ): Promise<void> {
    const known = new Set(rows.map((row) => row.id))
    const gone = [...this.#live.values()].filter(
      (live) => live.server.id === serverId && !known.has(live.row.id),
    )
    await Promise.all(gone.map((live) => this.#drop(live.row.id)))
    if (server === undefined) return
    await Promise.all(rows.map((row) => this.#align(server, row, living)))
    if (!server.enabled) await settleDisabled(this.#deps.db, server.id, server.generation)
  }

  async #align(server: ServerRow, row: ConnectionRow, living: readonly string[]): Promise<void> {
    const { instance, nudge } = this.#deps
    const live = this.#live.get(row.id)
    if (live && (row.owner !== instance || row.epoch !== live.row.epoch)) return this.#drop(row.id)
    const wanted = ownerFor(row.id, living)
    if (live) {
      if (!server.enabled) return this.#end(row.id, 'disabled', 0)
      if (wanted !== instance) {
        await this.#end(row.id, 'starting', HAND_OVER_MS)
        return nudge(server.id)
      }
      if (live.supervisor.generation !== server.generation) {
        await this.#end(row.id, 'starting', 0)
        return this.#begin(server, row)
      }
      return
    }
    const orphan = row.owner === null || row.owner === instance || !living.includes(row.owner)
    if (server.enabled && wanted === instance && orphan) await this.#begin(server, row)
  }

  async #begin(server: ServerRow, found: ConnectionRow): Promise<void> {
    const { db, instance, host, children, serve, supervise, onWritten, log } = this.#deps
    if (found.owner === instance) await release(db, found.id, instance, found.epoch, 'starting')
    const row = await claim(db, found.id, instance)
    if (row === undefined) return
    if (found.owner !== null) await children.endLeft(row.id, found.owner)
    if (row.pid !== null && row.pid_started !== null && row.host === host) {
      await killGroup({ pid: row.pid, startedAt: row.pid_started })
    }
    const onState = async (told: ConnectionReport) => {
      const mine = await report(db, row.id, { instance, epoch: row.epoch, host }, told)
      if (!mine) {
        log.warn({ connection: row.id }, 'another gateway owns this connection')
        void this.#drop(row.id)
        throw new Error('not the owner any more')
      }
      onWritten(server, row, told)
    }
    const fresh = row.generation === server.generation ? row : { ...row, ever_ran: false }
    // Only the owner ever subscribes: a second subscription would run a call twice.
    const serving = await serve(row.id)
    this.#live.set(row.id, {
      server,
      row: fresh,
      serving,
      use: { calls: 0, lastAt: performance.now() },
      supervisor: supervise(server, fresh, onState),
    })
  }

  /** Ends a connection in order and gives it up; calls in flight get `graceMs` to finish. */
  async #end(id: string, state: 'starting' | 'disabled', graceMs: number): Promise<void> {
    const live = this.#live.get(id)
    if (!live) return
    await Promise.race([live.serving.drain(), wait(graceMs, undefined, { ref: false })])
    this.#live.delete(id)
    await live.supervisor[Symbol.asyncDispose]()
    const { db, instance, onWritten } = this.#deps
    await release(db, id, instance, live.row.epoch, state).catch(() => {})
    if (state === 'disabled') onWritten(live.server, live.row, { state, generation: live.server.generation })
  }

  /** Ends a connection that is not this instance's any more. */
  async #drop(id: string): Promise<void> {
    const live = this.#live.get(id)
    if (!live) return
    this.#live.delete(id)
    void live.serving.drain()
    await live.supervisor[Symbol.asyncDispose]()
  }
}
