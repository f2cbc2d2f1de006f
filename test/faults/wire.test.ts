import { randomUUIDv7 } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as contracts from '@althing/protocol/bus/gateway'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ada, answering, GatewayBench, notifier } from '../harness/gateway.ts'
import { until } from '../harness/until.ts'

let bench: GatewayBench
let gateway: AsyncDisposable
let folder: string

beforeAll(async () => {
  bench = await GatewayBench.open()
  gateway = await bench.gateway()
  folder = await mkdtemp(join(tmpdir(), 'althing-wire-'))
  await bench.web.call(
    contracts.registerServer,
    { actor: ada, registration: notifier('wire') },
    { timeoutMs: 20_000 },
  )
})
afterAll(async () => {
  await gateway[Symbol.asyncDispose]()
  await bench[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

// @case B52: what a server did before it went away is not done again
describe('a call whose server goes away after it acted', () => {
  it('is not sent again over HTTP', async () => {
    let acted = 0
    await using server = await answering((request, response, body) => {
      if (request.method !== 'POST') return void response.writeHead(405).end()
      const { id, method } = JSON.parse(body)
      const json = (result: object) =>
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify({ jsonrpc: '2.0', id, result }))
      if (id === undefined) response.writeHead(202).end()
      else if (method === 'initialize')
        json({
          protocolVersion: '2025-11-25',
          capabilities: { tools: {} },
          serverInfo: { name: 's', version: '1' },
        })
      else if (method === 'tools/list') json({ tools: [{ name: 'order', inputSchema: { type: 'object' } }] })
      else if (method === 'tools/call') {
        acted++
        request.socket.destroy()
      } else response.writeHead(404).end()
    })
    const registration = { name: 'shop', transport: 'http' as const, url: server.url }
    await bench.web.call(contracts.registerServer, { actor: ada, registration }, { timeoutMs: 20_000 })
    await expect(bench.call('shop', 'order')).rejects.toMatchObject({ code: 'connection_lost' })
    expect(acted).toBe(1)
  })

  it('is not sent again over its pipes', async () => {
    const file = join(folder, 'orders')
    const appended = bench.call('wire', 'append', { file, line: 'order' })
    await appended
    await expect(bench.call('wire', 'crash')).rejects.toMatchObject({ code: 'connection_lost' })
    await until('it is back', () => bench.call('wire', 'echo', { text: 'x' }).then(() => true))
    expect(await readFile(file, 'utf8')).toBe('order\n')
  })
})

// @case B64: a call has one end, whenever it is stopped
it.each([0, 1, 5, 50])(
  'a call that is stopped after %i ms ends as cancelled or done, and the next one works',
  async (ms) => {
    const { connection } = await bench.web.call(contracts.ensureConnection, { actor: ada, name: 'wire' })
    const stop = new AbortController()
    const input = { actor: ada, call_id: randomUUIDv7(), tool: 'slow', arguments: { ms: 5 } }
    const calling = bench.web.stream(contracts.callTool, { connection }, input, { signal: stop.signal }).then(
      () => 'done',
      (error: { code: string }) => error.code,
    )
    setTimeout(() => {
      stop.abort()
      stop.abort()
    }, ms)
    expect(['done', 'cancelled']).toContain(await calling)
    expect((await bench.call('wire', 'echo', { text: 'next' })).result).toBe('next')
  },
)

// @case B72: text that Postgres refuses is kept with a visible substitute, everywhere
it('takes NUL and half characters in results, events and log lines', async () => {
  const odd = 'a\u0000b\ud83d'
  expect((await bench.call('wire', 'echo', { text: odd })).result).toBe(odd)
  await bench.call('wire', 'log', { text: odd })
  await bench.call('wire', 'notify', { method: 'event/odd', payload: { [odd]: odd } })
  const lines = await until('the line is kept', async () => {
    const log = await bench.web.call(contracts.readLog, { actor: ada, name: 'wire', tail: 200 })
    return log.lines.find(({ text }) => text.includes('fixture: a'))
  })
  expect(lines.text).not.toContain('\u0000')
  expect((await bench.call('wire', 'echo', { text: 'after' })).result).toBe('after')
})

// @case B19: servers that never answer their handshake
it('serves one server while others never answer their handshake', async () => {
  const silent = {
    name: 'silent',
    transport: 'stdio' as const,
    command: 'sleep',
    args: ['60'],
    start_timeout_ms: 1_500,
  }
  await using mute = await answering(() => {})
  const deaf = { name: 'deaf', transport: 'http' as const, url: mute.url, start_timeout_ms: 1_500 }
  const starting = [silent, deaf].map((registration) =>
    bench.web.call(contracts.registerServer, { actor: ada, registration }, { timeoutMs: 20_000 }),
  )
  const began = performance.now()
  expect((await bench.call('wire', 'echo', { text: 'meanwhile' })).result).toBe('meanwhile')
  expect(performance.now() - began).toBeLessThan(1_500)
  for (const { state, error } of await Promise.all(starting))
    expect({ state, code: error?.code }).toEqual({ state: 'failed', code: 'start_timeout' })
})

// @case B66: a flood of notifications from one server holds up nobody's calls
it('answers calls while a server floods', async () => {
  await bench.web.call(
    contracts.registerServer,
    { actor: ada, registration: notifier('flood') },
    { timeoutMs: 20_000 },
  )
  const flooding = bench.call('flood', 'notify', { count: 20_000, payload: { text: 'x'.repeat(2_000) } })
  const began = performance.now()
  expect((await bench.call('wire', 'echo', { text: 'meanwhile' })).result).toBe('meanwhile')
  expect(performance.now() - began).toBeLessThan(3_000)
  expect((await flooding).result).toBe('sent 20000')
})
