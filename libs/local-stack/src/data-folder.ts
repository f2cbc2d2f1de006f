import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import {
  identify,
  isAlive,
  killGroup,
  type ProcessIdentity,
} from '@althing/mcp-client/transport/process-group'
import type { ServiceName } from '@althing/protocol/define'
import { LocalFault, type Say } from './fault.ts'

/** The passwords and keys of an instance. Made once; whoever loses the master key loses the stored secrets. */
export interface Keys {
  readonly masterKey: string
  readonly authSecret: string
  readonly databaseAdmin: string
  readonly natsAdmin: string
  readonly database: Readonly<Record<ServiceName, string>>
  readonly nats: Readonly<Record<ServiceName, string>>
}

const STOP_LEFTOVER_MS = 5_000

/** The folder that holds everything an instance keeps on this machine. One start at a time may use it. */
export class DataFolder implements Disposable {
  readonly path: string
  readonly keys: Keys
  readonly #processes: ProcessIdentity[] = []

  private constructor(path: string, keys: Keys) {
    this.path = path
    this.keys = keys
  }

  static async open(given: string, say: Say): Promise<DataFolder> {
    const path = resolve(given)
    try {
      mkdirSync(path, { recursive: true, mode: 0o700 })
      chmodSync(path, 0o700)
      const probe = join(path, '.probe')
      writeFileSync(probe, '')
      rmSync(probe)
    } catch (cause) {
      const why = (cause as NodeJS.ErrnoException).code ?? 'unknown'
      throw new LocalFault(
        `The data folder ${path} cannot be written (${why}). Choose another: ALTHING_DATA=/some/folder make start`,
        { cause },
      )
    }
    lock(path)
    await endLeftovers(path, say)
    return new DataFolder(path, readKeys(path))
  }

  folder(name: string): string {
    const path = join(this.path, name)
    mkdirSync(path, { recursive: true, mode: 0o700 })
    return path
  }

  /** Remembers a process group, so that the next start can end it should this one be killed. */
  remember(pid: number | undefined): void {
    const identity = pid === undefined ? undefined : identify(pid)
    if (identity === undefined) return
    const living = this.#processes.filter(isAlive)
    this.#processes.splice(0, this.#processes.length, ...living, identity)
    writePrivate(join(this.path, 'processes.json'), JSON.stringify(this.#processes))
  }

  [Symbol.dispose](): void {
    rmSync(join(this.path, 'processes.json'), { force: true })
    rmSync(join(this.path, 'lock'), { force: true })
  }
}

function lock(path: string): void {
  const file = join(path, 'lock')
  const self = identify(process.pid)
  if (self === undefined) throw new Error('this process cannot be identified')
  for (let tries = 0; tries < 2; tries++) {
    try {
      writeFileSync(file, JSON.stringify(self), { flag: 'wx', mode: 0o600 })
      return
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    const holder = readJson<ProcessIdentity>(file)
    if (holder && isAlive(holder)) {
      throw new LocalFault(`Althing runs already on the data folder ${path} (process ${holder.pid}).`)
    }
    rmSync(file, { force: true })
  }
  throw new LocalFault(`The data folder ${path} is being taken by another start.`)
}

async function endLeftovers(path: string, say: Say): Promise<void> {
  const leftovers = (readJson<ProcessIdentity[]>(join(path, 'processes.json')) ?? []).filter(isAlive)
  if (leftovers.length === 0) return
  say(`Ending ${leftovers.length} processes that an earlier start left behind`)
  await Promise.all(leftovers.map((identity) => killGroup(identity, 'SIGINT', STOP_LEFTOVER_MS)))
}

function readKeys(path: string): Keys {
  const file = join(path, 'keys.json')
  const known = readJson<Keys>(file)
  if (known) return known
  if (existsSync(file))
    throw new LocalFault(`${file} is damaged. Restore it from a backup: it holds the master key.`)
  const keys = makeKeys()
  writePrivate(file, `${JSON.stringify(keys, null, 2)}\n`)
  return keys
}

export function makeKeys(): Keys {
  const password = () => randomBytes(24).toString('hex')
  const each = () => ({
    'mcp-gateway': password(),
    agent: password(),
    'tic-worker': password(),
    web: password(),
  })
  return {
    masterKey: randomBytes(32).toString('base64'),
    authSecret: randomBytes(32).toString('base64'),
    databaseAdmin: password(),
    natsAdmin: password(),
    database: each(),
    nats: each(),
  }
}

function writePrivate(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(`${file}.new`, text, { mode: 0o600 })
  renameSync(`${file}.new`, file)
}

function readJson<T>(file: string): T | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as T
  } catch {
    return undefined
  }
}
