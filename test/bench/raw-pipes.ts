import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { NOTIFIER } from '../harness/servers.ts'
import type { Call } from './load.ts'

/** The floor: JSON lines to the fixture and back, no client, no checks. */
export async function openRawPipes(): Promise<AsyncDisposable & { readonly call: Call }> {
  const child = spawn(process.execPath, [NOTIFIER], { stdio: ['pipe', 'pipe', 'ignore'] })
  const waiting = new Map<number, () => void>()
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { id } = JSON.parse(line) as { id?: number }
    if (id !== undefined) waiting.get(id)?.()
  })
  let next = 0
  const ask = (method: string, params: object) =>
    new Promise<void>((resolve) => {
      const id = next++
      waiting.set(id, () => {
        waiting.delete(id)
        resolve()
      })
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
    })
  await ask('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'bench', version: '1' },
  })
  return {
    call: () => ask('tools/call', { name: 'echo', arguments: { text: 'hello' } }),
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
    },
  }
}
