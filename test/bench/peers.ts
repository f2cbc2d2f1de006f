import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@althing/local-stack/port'
import { NOTIFIER } from '../harness/servers.ts'
import { until } from '../harness/until.ts'
import { McpLoad } from './mcp-load.ts'

/** Other gateways from stdio to streamable HTTP, fetched for the run and never part of the product. */
const PEERS = [
  {
    name: 'supergateway',
    version: '4.0.0',
    args: (port: number) => [
      '--stdio',
      `${process.execPath} ${NOTIFIER}`,
      '--outputTransport',
      'streamableHttp',
      '--stateful',
      '--port',
      String(port),
      '--logLevel',
      'none',
    ],
  },
  {
    name: 'mcp-proxy',
    version: '6.7.19',
    args: (port: number) => [
      '--host',
      '127.0.0.1',
      '--port',
      String(port),
      '--server',
      'stream',
      '--no-eventStore',
      '--',
      process.execPath,
      NOTIFIER,
    ],
  },
] as const

export interface Peer {
  readonly name: string
  readonly url: string
  readonly pids: readonly number[]
}

/** Starts those that can be fetched; says so of the others. */
export async function startPeers(): Promise<AsyncDisposable & { readonly peers: readonly Peer[] }> {
  const stack = new AsyncDisposableStack()
  const folder = mkdtempSync(join(tmpdir(), 'althing-peers-'))
  stack.defer(async () => rmSync(folder, { recursive: true, force: true }))
  const peers: Peer[] = []
  for (const { name, version, args } of PEERS) {
    const install = [
      'install',
      '--prefix',
      folder,
      '--no-save',
      '--no-audit',
      '--no-fund',
      `${name}@${version}`,
    ]
    if (spawnSync('npm', install, { stdio: 'ignore' }).status !== 0) {
      console.log(`${name} could not be fetched and is left out`)
      continue
    }
    const port = await freePort()
    const child = spawn(join(folder, 'node_modules/.bin', name), args(port), {
      stdio: 'ignore',
      detached: true,
    })
    const { pid } = child
    if (pid === undefined) continue
    stack.defer(async () => {
      process.kill(-pid, 'SIGKILL')
    })
    const url = `http://127.0.0.1:${port}/mcp`
    await until(`${name} answers`, async () => {
      await using load = new McpLoad(url)
      await load.open()
      return (await load.call('echo', { text: 'x' })) > 0
    })
    peers.push({ name, url, pids: [pid] })
  }
  return Object.assign(stack.move(), { peers })
}
