import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { BUCKETS, BUS_CONTRACTS } from '@althing/protocol/catalogue'
import { SERVICES, type ServiceName } from '@althing/protocol/define'
import { ensureStreams } from '@althing/runtime/streams'
import { connect } from '@nats-io/transport-node'
import { migrate } from '../../../migrations/migrate.ts'
import { DataFolder, type Keys } from './data-folder.ts'
import { LocalFault, type Say } from './fault.ts'
import { type Nats, startNats } from './nats.ts'
import { findNatsServer } from './nats-binary.ts'
import { freePort, mustBeFree } from './port.ts'
import { ensureDatabase, type Postgres, startPostgres } from './postgres.ts'
import { ENTRIES, ROLES, serviceEnv } from './service-env.ts'
import { Supervised } from './supervised.ts'

const ROOT = join(import.meta.dirname, '../../..')
const DATABASE = 'althing'
const READY_WITHIN_MS = 60_000

export interface StackOptions {
  readonly dataDir: string
  /** False trades safety for speed: for tests only. */
  readonly durable: boolean
  readonly say: Say
  /** How many of each service to start; what is not named is not started. All by default, one of each. */
  readonly services?: Partial<Record<ServiceName, number>>
  readonly host?: string
  /** Where web listens; a free port when not given. */
  readonly port?: number
  /** Variables for the services, over those of this process. */
  readonly env?: Readonly<Record<string, string>>
  /** A database and a bus that run already, reached as an administrator. */
  readonly databaseUrl?: string
  readonly natsUrl?: string
  /** Called when something died too often to be started again. */
  readonly onGivenUp?: (name: string, tail: string) => void
}

/** Postgres, NATS and the services on one machine. Disposing stops all of it, services first. */
export interface Stack extends AsyncDisposable {
  readonly webUrl: string
  readonly natsUrl: string
  readonly natsVersion: string
  readonly keys: Keys
  /** The environment that a service of this stack gets, for running one inside a test. */
  envOf(service: ServiceName): Promise<Record<string, string>>
  adminDatabaseUrl(): string
  replicas(service: ServiceName): readonly Supervised[]
  infrastructure(name: 'postgres' | 'nats'): Supervised
  kill(service: ServiceName, index: number, signal: NodeJS.Signals): Promise<void>
}

export async function startStack(options: StackOptions): Promise<Stack> {
  const { say, durable, host = '127.0.0.1' } = options
  const onGivenUp = options.onGivenUp ?? ((name, tail) => say(`${name} keeps dying:\n${tail}`))
  const webPort = options.port ?? (await freePort())
  if (options.port !== undefined) await mustBeFree(host, webPort)
  const binary = options.natsUrl ? undefined : findNatsServer(join(ROOT, '.tools'), say)

  const stack = new AsyncDisposableStack()
  try {
    const folder = stack.use(await DataFolder.open(options.dataDir, say))
    const hooks = { folder, durable, say, onGivenUp }
    const started = await Promise.allSettled([
      options.databaseUrl ? undefined : freePort().then((port) => startPostgres({ ...hooks, port })),
      binary && freePort().then((port) => startNats({ ...hooks, binary, port })),
    ])
    // What did start is stopped in any case, in reverse: NATS before Postgres.
    const [postgres, nats] = started.map((one) => {
      if (one.status === 'fulfilled' && one.value) stack.use(one.value)
      return one.status === 'fulfilled' ? one.value : undefined
    }) as [Postgres | undefined, Nats | undefined]
    const failed = started.find((one) => one.status === 'rejected')
    if (failed) throw failed.reason
    const place = placeOf(options, postgres, nats)
    await prepare(place, folder.keys, say)

    const caller = { ...process.env, ...options.env }
    const envOf = async (service: ServiceName) =>
      serviceEnv(
        service,
        folder.keys,
        {
          databaseUrl: place.serviceUrl(service),
          natsUrl: place.natsUrl,
          dataDir: folder.path,
          healthPort: await freePort(),
          web: { host, port: webPort },
        },
        caller,
      )
    const running = new Map<ServiceName, Supervised[]>()
    stack.defer(async () => {
      const all = [...running.values()].flat()
      await Promise.all(all.map((one) => one[Symbol.asyncDispose]()))
    })
    for (const service of SERVICES) {
      const wanted = options.services === undefined ? 1 : (options.services[service] ?? 0)
      const replicas: Supervised[] = []
      running.set(service, replicas)
      for (let index = 0; index < wanted; index++) {
        const name = wanted === 1 ? service : `${service}-${index + 1}`
        const program = {
          name,
          command: process.execPath,
          args: [join(ROOT, ENTRIES[service])],
          env: await envOf(service),
          logFile: join(folder.folder('logs'), `${name}.log`),
          stopSignal: 'SIGTERM' as const,
          stopWithinMs: 15_000,
        }
        replicas.push(new Supervised(program, { say, onStart: (pid) => folder.remember(pid), onGivenUp }))
      }
    }
    const web = running.get('web')?.[0]
    const webUrl = `http://${host.includes(':') ? `[${host}]` : host}:${webPort}`
    if (web) await untilReady(webUrl, running)

    const disposal = stack.move()
    return {
      webUrl,
      natsUrl: place.natsUrl,
      natsVersion: nats?.version ?? 'given',
      keys: folder.keys,
      envOf,
      adminDatabaseUrl: () => place.adminUrl,
      replicas: (service) => running.get(service) ?? [],
      infrastructure: (name) => {
        const one = name === 'postgres' ? postgres?.process : nats?.process
        if (!one) throw new Error(`${name} is not ours`)
        return one
      },
      kill: async (service, index, signal) => {
        const one = running.get(service)?.[index]
        if (!one) throw new Error(`there is no ${service} ${index}`)
        await one.kill(signal)
      },
      [Symbol.asyncDispose]: () => disposal.disposeAsync(),
    }
  } catch (error) {
    await stack.disposeAsync()
    throw error
  }
}

interface Place {
  readonly adminUrl: string
  readonly natsUrl: string
  serviceUrl(service: ServiceName): string
}

function placeOf(options: StackOptions, postgres: Postgres | undefined, nats: Nats | undefined): Place {
  const adminUrl = postgres?.adminUrl(DATABASE) ?? options.databaseUrl ?? ''
  const natsUrl = nats?.url ?? options.natsUrl ?? ''
  return {
    adminUrl,
    natsUrl,
    serviceUrl: (service) => {
      const url = new URL(adminUrl)
      url.username = ROLES[service].role
      url.password = ''
      return url.href
    },
  }
}

async function prepare(place: Place, keys: Keys, say: Say): Promise<void> {
  const maintenance = new URL(place.adminUrl)
  maintenance.pathname = '/postgres'
  await ensureDatabase(maintenance.href, DATABASE)
  const applied = await migrate(place.adminUrl, {
    gateway: keys.database['mcp-gateway'],
    agent: keys.database.agent,
    tic: keys.database['tic-worker'],
    web: keys.database.web,
  })
  if (applied.length > 0) say(`Prepared the database (${applied.length} migrations)`)
  const nats = await connect({ servers: place.natsUrl, user: 'admin', pass: keys.natsAdmin })
  try {
    await ensureStreams(nats, BUS_CONTRACTS, BUCKETS)
  } finally {
    await nats.close()
  }
}

async function untilReady(
  webUrl: string,
  running: ReadonlyMap<ServiceName, readonly Supervised[]>,
): Promise<void> {
  const deadline = performance.now() + READY_WITHIN_MS
  const addresses = [
    `${webUrl}/readyz`,
    ...[...running].flatMap(([service, replicas]) =>
      service === 'web'
        ? []
        : replicas.map((one) => `http://127.0.0.1:${one.program.env.HEALTH_PORT}/readyz`),
    ),
  ]
  for (const address of addresses) {
    while (!(await answers(address))) {
      if (performance.now() > deadline) {
        const tails = [...running.values()].flat().map((one) => `${one.program.name}:\n${one.tail()}`)
        throw new LocalFault(
          `The services were not ready within ${READY_WITHIN_MS / 1000} s.\n${tails.join('\n')}`,
        )
      }
      await wait(50)
    }
  }
}

async function answers(address: string): Promise<boolean> {
  try {
    const response = await fetch(address, { signal: AbortSignal.timeout(2000) })
    await response.arrayBuffer()
    return response.ok
  } catch {
    return false
  }
}
