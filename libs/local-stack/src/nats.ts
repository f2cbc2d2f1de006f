import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { BUCKETS, BUS_CONTRACTS } from '@althing/protocol/catalogue'
import { connect } from '@nats-io/transport-node'
import type { DataFolder } from './data-folder.ts'
import { LocalFault, type Say } from './fault.ts'
import { isAtLeast, type NatsBinary } from './nats-binary.ts'
import { renderNatsConfig } from './nats-config.ts'
import { Supervised } from './supervised.ts'

const READY_WITHIN_MS = 20_000
const KNOWS_SYNC_INTERVAL = [2, 10] as const

export interface Nats extends AsyncDisposable {
  readonly url: string
  readonly version: string
  readonly process: Supervised
}

export interface NatsOptions {
  readonly folder: DataFolder
  readonly binary: NatsBinary
  readonly port: number
  readonly durable: boolean
  readonly say: Say
  readonly onGivenUp: (name: string, tail: string) => void
}

/** Starts NATS with JetStream on a loopback port, with the users and permissions of the contracts. */
export async function startNats({
  folder,
  binary,
  port,
  durable,
  say,
  onGivenUp,
}: NatsOptions): Promise<Nats> {
  const home = folder.folder('nats')
  const configFile = join(home, 'nats.conf')
  const { keys } = folder
  const text = renderNatsConfig(
    {
      listen: `127.0.0.1:${port}`,
      storeDir: join(home, 'jetstream'),
      syncAlways: durable && isAtLeast(binary.version, KNOWS_SYNC_INTERVAL),
      adminPassword: keys.natsAdmin,
      passwords: keys.nats,
    },
    BUS_CONTRACTS,
    BUCKETS,
  )
  writeFileSync(configFile, text, { mode: 0o600 })
  const process_ = new Supervised(
    {
      name: 'nats',
      command: binary.path,
      args: ['-c', configFile],
      env: { PATH: process.env.PATH ?? '' },
      logFile: join(folder.folder('logs'), 'nats.log'),
      stopSignal: 'SIGTERM',
      stopWithinMs: 5_000,
    },
    { say, onStart: (pid) => folder.remember(pid), onGivenUp },
  )
  const url = `nats://127.0.0.1:${port}`
  try {
    await untilReady(url, keys.natsAdmin, process_)
  } catch (error) {
    await process_[Symbol.asyncDispose]()
    throw error
  }
  return {
    url,
    version: binary.version,
    process: process_,
    [Symbol.asyncDispose]: () => process_[Symbol.asyncDispose](),
  }
}

async function untilReady(url: string, password: string, process_: Supervised): Promise<void> {
  const deadline = performance.now() + READY_WITHIN_MS
  for (;;) {
    try {
      const nats = await connect({
        servers: url,
        user: 'admin',
        pass: password,
        reconnect: false,
        timeout: 1000,
      })
      await nats.close()
      return
    } catch (cause) {
      if (performance.now() > deadline) {
        throw new LocalFault(
          `NATS did not start: ${process_.tail().split('\n').at(-1) ?? 'no word from it'}`,
          { cause },
        )
      }
    }
    await wait(30)
  }
}
