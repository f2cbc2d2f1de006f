import { randomBytes } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { mediaBucket, payloadBucket } from '@althing/protocol/bus/gateway-relay'
import { ROUTES } from '@althing/protocol/catalogue'
import { openApiDocument } from '@althing/protocol/openapi'
import { Bus } from '@althing/runtime/bus/bus'
import { systemClock } from '@althing/runtime/clock'
import { openPool } from '@althing/runtime/db'
import { addHealthRoutes } from '@althing/runtime/http'
import { openLog } from '@althing/runtime/log'
import { Objects } from '@althing/runtime/objects'
import { openTelemetry } from '@althing/runtime/telemetry'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { AuditLog } from './audit-log.ts'
import { openAccounts } from './auth/accounts.ts'
import { ApiKeys } from './auth/api-keys.ts'
import { Identities } from './auth/identities.ts'
import { People } from './auth/people.ts'
import type { WebConfig } from './config.ts'
import { locateConnections } from './connections.ts'
import type { WebTables } from './db/tables.ts'
import { openApp } from './http-app.ts'
import { LiveFeed } from './live/feed.ts'
import { EventStreams } from './live/stream.ts'
import { McpEndpoint } from './mcp/endpoint.ts'
import { bindApprovals } from './routes/approvals.ts'
import { RouteBinder } from './routes/bind.ts'
import { bindCallTool } from './routes/call-tool.ts'
import { bindEvents } from './routes/events.ts'
import { bindMe, bindSetup, bindSignIn, bindUsers } from './routes/identity.ts'
import { bindInbox } from './routes/inbox.ts'
import { bindLive } from './routes/live.ts'
import { bindLog } from './routes/log.ts'
import { bindMedia } from './routes/media.ts'
import { bindOauth } from './routes/oauth.ts'
import { bindOffer } from './routes/offer.ts'
import { bindSchedules } from './routes/schedules.ts'
import { bindSecrets } from './routes/secrets.ts'
import { bindServers } from './routes/servers.ts'
import { bindSessions } from './routes/sessions.ts'
import { serveUi } from './routes/ui.ts'

/** How long requests in hand may take to end when the service stops. */
const STOP_GRACE_MS = 3_000

/** The HTTP API, accounts, live stream and the page. Resolves once it listens. */
export async function createWeb(
  config: WebConfig,
  { clock = systemClock } = {},
): Promise<AsyncDisposable & { readonly port: number }> {
  await using stack = new AsyncDisposableStack()
  const instance = randomBytes(8).toString('hex')
  const telemetry = stack.use(openTelemetry(config.OTEL_EXPORTER_OTLP_ENDPOINT))
  const log = openLog('web', instance, config.LOG_LEVEL)
  const password = config.DATABASE_PASSWORD?.reveal()
  const pool = openPool({
    url: config.DATABASE_URL,
    ...(password === undefined ? {} : { password }),
    schema: 'web',
    log,
  })
  const db = new Kysely<WebTables>({ dialect: new PostgresDialect({ pool }) })
  stack.defer(() => db.destroy())
  const bus = stack.use(await Bus.open('web', instance, config, log))

  const accounts = openAccounts(pool, config)
  const people = new People(db)
  await createFirstAdministrator(people, config)
  const identities = await Identities.open(accounts, people, clock)
  const audit = stack.use(new AuditLog(db, log, clock))
  const feed = stack.use(new LiveFeed(bus, log, clock))

  bus.passOutsizedBy(new Objects(bus, payloadBucket))
  const connections = locateConnections(bus)
  const trusted = new Set(config.ALTHING_TRUSTED_ORIGINS)
  if (config.ALTHING_PUBLIC_URL) trusted.add(config.ALTHING_PUBLIC_URL)
  const mcp = new McpEndpoint({
    bus,
    log,
    identities,
    connections,
    secret: config.ALTHING_AUTH_SECRET.reveal(),
    places: { trusted, loopback: /^(?:127\.|localhost$|::1$)/.test(config.HOST) },
    bodyLimit: config.ALTHING_BODY_LIMIT_BYTES,
  })
  const app = await openApp(config, log, {
    owns: McpEndpoint.owns,
    handle: (request, response) => mcp.handle(request, response),
  })
  stack.defer(async () => {
    const late = setTimeout(() => app.server.closeAllConnections(), STOP_GRACE_MS)
    await app.close()
    clearTimeout(late)
  })
  stack.use(mcp)
  const streams = stack.use(new EventStreams(identities, clock))
  const routes = new RouteBinder(app, identities, audit, trusted)
  bindSignIn(routes, accounts, identities, people, config.ALTHING_SIGN_IN_LIMIT)
  bindSetup(routes, people, config.ALTHING_SIGN_IN_LIMIT)
  bindMe(routes, people, new ApiKeys(db, accounts), identities)
  bindUsers(routes, people, identities, audit)
  bindServers(routes, bus)
  bindSecrets(routes, bus)
  bindApprovals(routes, bus)
  bindCallTool(routes, bus, connections)
  bindOffer(routes, bus, connections)
  bindMedia(routes, bus, new Objects(bus, mediaBucket))
  bindOauth(routes, { bus, identities, publicUrl: config.ALTHING_PUBLIC_URL, trusted })
  bindLog(routes, bus, streams.open)
  bindSessions(routes, bus)
  bindInbox(routes, bus)
  bindEvents(routes, bus)
  bindSchedules(routes, bus)
  bindLive(routes, feed, streams.open)
  const openApi = openApiDocument(ROUTES)
  app.get('/api/openapi.json', async () => openApi)
  const checks = {
    database: async () => void (await sql`select 1`.execute(db)),
    bus: () => bus.check(),
    live: () => feed.check(),
  }
  addHealthRoutes(app, checks, telemetry)
  await serveUi(app, routes, config.ALTHING_UI_DIR)

  await app.listen({ host: config.HOST, port: config.PORT })
  const running = stack.move()
  return {
    port: portOf(app.server.address()) ?? config.PORT,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

async function createFirstAdministrator(people: People, config: WebConfig): Promise<void> {
  const { ALTHING_ADMIN_EMAIL: email, ALTHING_ADMIN_PASSWORD: password } = config
  if (email === undefined || password === undefined || !(await people.isEmpty())) return
  await people.createFirst({ email, name: 'Administrator', password: password.reveal() })
}

function portOf(address: AddressInfo | string | null): number | undefined {
  return typeof address === 'object' ? address?.port : undefined
}
