import { type ChildProcess, spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { freePort } from '@althing/local-stack/port'
import { until } from './until.ts'

const require = createRequire(import.meta.url)

/** The reference server that offers a bit of everything, as its package ships it. */
export const EVERYTHING = require.resolve('@modelcontextprotocol/server-everything/dist/index.js')
export const NOTIFIER = join(import.meta.dirname, '../fixtures/notifier.ts')

export function everything(name: string): Record<string, unknown> {
  return { name, transport: 'stdio', command: process.execPath, args: [EVERYTHING, 'stdio'] }
}

export function notifier(name: string): Record<string, unknown> {
  return { name, transport: 'stdio', command: process.execPath, args: [NOTIFIER] }
}

/** The same reference server over streamable HTTP, in a process of its own. */
export async function startEverythingOverHttp(): Promise<AsyncDisposable & { readonly url: string }> {
  const port = await freePort()
  const child: ChildProcess = spawn(process.execPath, [EVERYTHING, 'streamableHttp'], {
    stdio: 'ignore',
    env: { PATH: process.env.PATH, PORT: String(port) },
  })
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const url = `http://127.0.0.1:${port}/mcp`
  await until('the HTTP server answers', async () => (await fetch(url, { method: 'GET' })).status < 500)
  return {
    url,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await gone
    },
  }
}
