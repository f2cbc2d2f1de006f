import { readFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import * as contracts from '@althing/protocol/bus/gateway'
import type { Actor } from '@althing/protocol/model/actor'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ada, answering, GatewayBench, isAlive, notifier } from '../harness/gateway.ts'
import { until } from '../harness/until.ts'

const cy: Actor = { user: 'cy', role: 'admin' }
let bench: GatewayBench

beforeAll(async () => {
  bench = await GatewayBench.open()
})
afterAll(() => bench?.[Symbol.asyncDispose]())

const register = (registration: Parameters<typeof bench.web.call>[1] & object, actor = ada) =>
  bench.web.call(contracts.registerServer, { actor, registration } as never, { timeoutMs: 20_000 })
const stateOf = async (name: string) =>
  (await bench.web.call(contracts.getServer, { actor: ada, name })).state
const codeOf = (asked: Promise<unknown>) =>
  asked.then(
    () => 'done',
    (error: { code?: string }) => error.code,
  )

it('runs a call once, also after the database refused to give a connection', async () => {
  await using _gateway = await bench.gateway({ LOG_LEVEL: 'error' })
  await bench.admin.query(`create sequence gateway.refusals`)
  await bench.admin.query('grant usage on sequence gateway.refusals to althing_gateway')
  await bench.admin.query(
    `create function gateway.refuse() returns trigger language plpgsql as
     $$ begin perform nextval('gateway.refusals'); raise exception 'refused'; end $$`,
  )
  await bench.admin.query(
    `create trigger refuse before update on gateway.connections for each row
     when (new.owner is not null and old.owner is null) execute function gateway.refuse()`,
  )
  await register(notifier('once')).catch(() => {})
  await until('it was refused twice', async () => {
    const { rows } = await bench.admin.query('select last_value::int as times from gateway.refusals')
    return rows[0].times >= 2 || undefined
  })
  await bench.admin.query('drop trigger refuse on gateway.connections')
  await until('it runs', async () => (await stateOf('once')) === 'running' || undefined)
  const file = join(bench.folder, 'lines.txt')
  await bench.call('once', 'append', { file, line: 'x' })
  await bench.call('once', 'whoami')
  expect(await readFile(file, 'utf8')).toBe('x\n')
})

it.each([200, 400])('masks secrets that a server echoes in a page with status %i', async (status) => {
  await using _gateway = await bench.gateway()
  await using echo = await answering(({ headers }, response) => {
    response.writeHead(status, { 'content-type': 'text/plain' })
    response.end(`bad ${headers.authorization} ${headers['x-key']}`)
  })
  const secrets = { api_key: 'PLANTED-one', headers: { 'x-key': 'PLANTED-two' } }
  const answer = await register({ name: 'echo', transport: 'http', url: echo.url, ...secrets })
  const { rows } = await bench.admin.query('select * from gateway.connections')
  expect(answer.error?.detail).toContain('bad')
  expect(JSON.stringify([answer, rows])).not.toContain('PLANTED')
})

it('goes on trying a server that ran and answers with error pages for a while', async () => {
  await using _gateway = await bench.gateway({
    ALTHING_BACKOFF_FIRST_MS: '50',
    ALTHING_BACKOFF_LONGEST_MS: '100',
  })
  let up = true
  let refusals = 0
  await using server = await answering((request, response, body) => {
    if (body.includes('"tools/call"')) request.socket.destroy()
    else if (up) speak(response, body)
    else {
      refusals++
      response.writeHead(503).end('starting')
    }
  })
  const { state } = await register({ name: 'flaky', transport: 'http', url: server.url })
  expect(state).toBe('running')
  up = false
  await bench.call('flaky', 'echo').catch(() => {})
  await until('it was tried again, and again', async () => refusals >= 6 || undefined)
  up = true
  await until('it runs', async () => (await stateOf('flaky')) === 'running' || undefined)
})

/** As much of MCP's older era as a connection with one tool needs. */
function speak(response: ServerResponse, body: string): void {
  const { id, method } = (body === '' ? {} : JSON.parse(body)) as { id?: unknown; method?: string }
  const answers: Record<string, unknown> = {
    initialize: {
      protocolVersion: '2025-11-25',
      capabilities: { tools: {} },
      serverInfo: { name: 'flaky', version: '1' },
    },
    'tools/list': { tools: [{ name: 'echo', inputSchema: { type: 'object' } }] },
  }
  const result = answers[method ?? '']
  if (id === undefined) response.writeHead(method === undefined ? 405 : 202).end()
  else
    response.writeHead(200, { 'content-type': 'application/json' }).end(
      JSON.stringify({
        jsonrpc: '2.0',
        id,
        ...(result ? { result } : { error: { code: -32601, message: 'no' } }),
      }),
    )
}

it('refuses to share a server under a name that is shared already', async () => {
  await using _gateway = await bench.gateway()
  const off = { ...notifier('same'), enabled: false }
  await register({ ...off, scope: 'personal' }, cy)
  await register(off, ada)
  expect(await codeOf(register({ ...off, scope: 'shared' }, cy))).toBe('server_name_taken')
  const shared = { actor: cy, name: 'same', patch: { scope: 'shared' as const } }
  expect(await codeOf(bench.web.call(contracts.updateServer, shared))).toBe('server_name_taken')
})

it("tells the state of a person's own connection to nobody else", async () => {
  await using _gateway = await bench.gateway()
  const told: string[] = []
  const hear = (user: string) =>
    bench.web.listen(contracts.gatewayLive, { user }, ({ type, data }) => {
      if (type === 'server.state' && JSON.stringify(data).includes('"each"')) told.push(user)
    })
  await using _all = hear('all')
  await using _own = hear('ada')
  await bench.web.nats.flush()
  await register({ ...notifier('each'), identity: 'per-user' })
  await until('the own page hears of it', async () => told.includes('ada') || undefined)
  expect(told).not.toContain('all')
})

it('hands over when it is stopped: the call in flight ends well, and nothing is left', async () => {
  const first = await bench.gateway()
  await register(notifier('moving'))
  const before = await bench.pidOf('moving')
  const slow = bench.call('moving', 'slow', { ms: 1000 })
  await until('the call runs', async () => {
    const { lines } = await bench.web.call(contracts.readLog, { actor: ada, name: 'moving', tail: 10 })
    return lines.some((line) => line.text === 'slow started') || undefined
  })
  await using _second = await bench.gateway()
  await first[Symbol.asyncDispose]()
  expect((await slow).result).toBe('slow done')
  expect(await until('it is served', () => bench.pidOf('moving'))).not.toBe(before)
  expect(isAlive(before)).toBe(false)
})
