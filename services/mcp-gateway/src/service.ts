import { hostname } from 'node:os'
import * as contracts from '@althing/protocol/bus/gateway'
import * as relay from '@althing/protocol/bus/gateway-relay'
import { AppError } from '@althing/protocol/errors'
import type { Actor } from '@althing/protocol/model/actor'
import type { Registration } from '@althing/protocol/model/server'
import { openBase } from '@althing/runtime/boot'
import { type Clock, systemClock } from '@althing/runtime/clock'
import { pickVariables } from '@althing/runtime/config'
import { Envelope } from '@althing/runtime/envelope'
import { readHistory } from '@althing/runtime/history'
import { openHealth } from '@althing/runtime/http'
import { readCatalogue } from './catalogue.ts'
import type { GatewayConfig } from './config.ts'
import { connectionChanges } from './connection-changes.ts'
import { sweepElicitations } from './db/elicitations.ts'
import { serverById } from './db/servers.ts'
import { type ConnectionRow, EVERYONE, type GatewayTables, type ServerRow } from './db/tables.ts'
import { forgetTasks } from './db/tasks.ts'
import { ToolTable } from './db/tools.ts'
import { Housekeeping } from './housekeeping.ts'
import { FileSink } from './logs/file-sink.ts'
import type { OfferChange } from './notifications/offer-change.ts'
import { SignIns } from './oauth/sign-ins.ts'
import { WebFetches } from './oauth/web-fetches.ts'
import { Children } from './sandbox/children.ts'
import { choiceOf, folderOf, openIsolation } from './sandbox/isolation.ts'
import { resealInBackground } from './secrets/reseal.ts'
import { fillerOf, variableSource } from './secrets/variables.ts'
import { serveRequests } from './serve.ts'
import { openCalls } from './serve-calls.ts'
import { serveSignIns } from './serve-sign-ins.ts'
import { addressPolicy, type MemberPolicy } from './servers/access.ts'
import { Lease } from './servers/lease.ts'
import { registrationOf } from './servers/registration.ts'
import { Registry } from './servers/registry.ts'
import { targetOf } from './servers/target.ts'
import { supervisedConnection, type WiringDeps } from './servers/wiring.ts'
import { settler } from './settle.ts'
import { tellPeople } from './tell-people.ts'
import { CallableTools } from './tools/callable-tools.ts'

const CLIENT_INFO = { name: 'althing', version: '0.1.0' }

/** Builds the gateway and starts it: database, bus, connections, handlers last. Disposing goes the other way. */
export async function createGateway(
  config: GatewayConfig,
  { clock = systemClock, host = hostname() }: { clock?: Clock; host?: string } = {},
): Promise<AsyncDisposable> {
  await using stack = new AsyncDisposableStack()
  const base = await openBase<GatewayTables>(stack, 'mcp-gateway', 'gateway', config)
  const { instance, log, telemetry, db, bus, checks } = base

  const envelope = Envelope.of(config)
  const variablesFor = variableSource({
    db,
    envelope,
    allowed: pickVariables(config.ALTHING_SERVER_VARIABLES),
  })
  const childEnvironment = { PATH: config.PATH, HOME: config.HOME, LANG: config.LANG }
  const policy: MemberPolicy = {
    stdio: config.ALTHING_MEMBER_STDIO === 'allow',
    privateNetworks: config.ALTHING_MEMBER_PRIVATE_NETWORKS === 'allow',
  }
  const connectSettings = {
    clientInfo: CLIENT_INFO,
    probeTimeoutMs: config.ALTHING_PROBE_TIMEOUT_MS,
    maxMessageBytes: config.ALTHING_MAX_MESSAGE_BYTES,
    graceMs: config.ALTHING_STOP_GRACE_MS,
  }
  const children = new Children(instance)
  const isolation = await openIsolation(config)
  const resolveFor = async (registration: Registration, scope: 'shared' | 'personal', actor: Actor) => {
    const reach = addressPolicy({ scope, owner: actor.user }, actor.role === 'admin', policy)
    const variables = await variablesFor(registration, actor.user)
    const resolved = targetOf(registration, variables, childEnvironment, reach)
    return { ...resolved, ...isolation.apply(resolved.target, choiceOf(registration), children.mark('test')) }
  }
  const targetOfRow = async (server: ServerRow, principal: string) => {
    const registration = registrationOf(server, envelope)
    const variables = await variablesFor(registration, fillerOf(server, principal))
    const reach = addressPolicy(server, server.owner_role === 'admin', policy)
    return targetOf(registration, variables, childEnvironment, reach)
  }
  const resolveRow = async (server: ServerRow, { id, principal }: ConnectionRow) => {
    const registration = registrationOf(server, envelope)
    const resolved = await targetOfRow(server, principal)
    const [marker, folder] = [children.mark(id), folderOf(server, id)]
    return { ...resolved, ...isolation.apply(resolved.target, choiceOf(registration), marker, folder) }
  }

  const { tell, tellState } = tellPeople(bus, clock)

  const tellOffer = (server: string, change: OfferChange | { readonly what: 'tools' }) =>
    bus.publish(relay.offerChanged, { server }, { server, ...change })

  const files = config.ALTHING_LOG_DIR ? new FileSink(config.ALTHING_LOG_DIR, log) : undefined
  if (files) stack.defer(() => files.flush())
  const tools = new ToolTable(db, config.ALTHING_PIN_POLICY)
  const callable = new CallableTools()
  const backoff = {
    firstMs: config.ALTHING_BACKOFF_FIRST_MS,
    longestMs: config.ALTHING_BACKOFF_LONGEST_MS,
    random: Math.random,
  }
  const signIns = new SignIns({ db, envelope, fetches: stack.use(new WebFetches()), resolve: targetOfRow })
  const wiring: WiringDeps = {
    tools,
    clock,
    backoff,
    startTimeoutMs: config.ALTHING_START_TIMEOUT_MS,
    connect: connectSettings,
    resolve: resolveRow,
    authorized: (...given) => signIns.authorized(...given),
    storeEvents: (server, batch, id) => bus.store(contracts.serverNotified, { server }, batch, id),
    publishLog: (server, lines) => {
      bus.publish(contracts.logWritten, { server: server.id }, { lines })
      files?.write(server, lines)
    },
    publishLive: (server, principal, line) =>
      tell(server, principal, {
        type: 'server.log',
        data: { server_id: server.id, name: server.name, line },
      }),
    rememberTools: (server, row, listed, held) => {
      callable.remember(row.id, server.id, listed, held)
      tellOffer(server.id, { what: 'tools' })
    },
    onOfferChanged: tellOffer,
    onRunning: (server, row, connection) =>
      void calls.tasks.resume(row.id, server.id, connection).catch(() => {}),
  }

  const lease = new Lease(db, { instance, host, leaseMs: config.ALTHING_LEASE_MS, clock })
  const nudge = (server: string) => bus.publish(contracts.registryChanged, { server }, { server })
  const registry = new Registry({
    db,
    lease,
    instance,
    host,
    log,
    heartbeatMs: config.ALTHING_LEASE_HEARTBEAT_MS,
    idleMs: config.ALTHING_IDLE_CONNECTION_MS,
    children,
    nudge,
    supervise: (server, row, onState) => supervisedConnection(wiring, server, row, onState),
    serve: (connection) => calls.serve(connection, (work) => registry.using(connection, work)),
    onWritten: (server, row, told) => {
      bus.publish(contracts.connectionChanged, { connection: row.id }, { state: told.state })
      tellState(server, row.principal, told.state, callable.count(row.id), told.error)
      if (told.state === 'disabled') tellOffer(server.id, { what: 'tools' })
    },
  })
  stack.use(
    bus.listen(relay.offerChanged, null, async ({ server, params }) => {
      if (!params?.accepted || !callable.has(server)) return
      const row = await serverById(db, server)
      if (row) callable.hold(server, await tools.heldOf(row))
    }),
  )
  const calls = openCalls(bus, {
    db,
    clock,
    config,
    callable,
    find: (connection) => registry.find(connection),
  })
  stack.use(registry)
  await registry.start()
  stack.use(
    bus.listen(contracts.registryChanged, null, async ({ server }) => {
      // What fails is in the log already, and the next heartbeat tries again.
      if (server !== undefined) await registry.reconcile(server).catch(() => {})
    }),
  )
  const reconcile = async (server: string) => {
    nudge(server)
    await registry.reconcile(server)
  }

  const settle = settler({
    db,
    tools,
    envelope,
    clock,
    startTimeoutMs: config.ALTHING_START_TIMEOUT_MS,
    reconcile,
    nextChange: connectionChanges(bus, stack),
  })
  serveSignIns(stack, { bus, db, signIns, reconcile, settle })
  const mustResolve = async (registration: Registration, owner: string) => {
    const variables = await variablesFor(registration, owner)
    targetOf(registration, variables, childEnvironment, { loopback: false, private: false })
  }
  const history = async (server: string, lines: number) => {
    const batches = await readHistory(bus, contracts.logWritten, { server }, lines)
    return batches.flatMap((batch) => batch.lines)
  }
  stack.use(
    serveRequests(bus, {
      db,
      envelope,
      policy,
      mustResolve,
      settle,
      clock,
      offers: readCatalogue(config.ALTHING_DATA),
      history,
      living: () => lease.living(),
      reconcile,
      tools,
      onAccepted: (server) =>
        bus.publish(
          relay.offerChanged,
          { server: server.id },
          { server: server.id, what: 'tools', params: { accepted: true } },
        ),
      onDeleted: (server) => {
        tellState(server, EVERYONE, 'deleted', 0)
        tellOffer(server.id, { what: 'tools' })
      },
      elicitations: calls.elicitations,
      inline: calls.inline,
      test: {
        startTimeoutMs: config.ALTHING_START_TIMEOUT_MS,
        connect: connectSettings,
        resolve: (registration, actor) =>
          resolveFor(
            registration,
            registration.scope ?? (actor.role === 'admin' ? 'shared' : 'personal'),
            actor,
          ),
      },
    }),
  )
  stack.use(new Housekeeping(clock, log, [() => sweepElicitations(db), () => forgetTasks(db)]))
  stack.use(
    await openHealth({
      host: config.HEALTH_HOST,
      port: config.HEALTH_PORT,
      telemetry,
      checks: {
        ...checks,
        lease: async () => {
          if (!lease.holds) throw new AppError('unavailable', 'the lease is over')
        },
      },
    }),
  )
  stack.use(resealInBackground(db, envelope, log))
  // Whoever hears that it is there must be able to ask it.
  await bus.check()
  log.info({ host, servers: (await tools.count()).size }, 'ready')
  return stack.move()
}
