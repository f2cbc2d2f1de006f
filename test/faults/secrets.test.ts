import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as gateway from '@althing/protocol/bus/gateway'
import { listServers, readLog, registerServer, testServer } from '@althing/protocol/bus/gateway'
import * as vault from '@althing/protocol/bus/gateway-secrets'
import type { Actor } from '@althing/protocol/model/actor'
import type { CallResult } from '@althing/protocol/model/tool'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ada, answering, GatewayBench, notifier } from '../harness/gateway.ts'
import { until } from '../harness/until.ts'

const bob: Actor = { user: 'bob', role: 'member' }
const PLANTED = 'planted/TESTSECRET+1'

let bench: GatewayBench

beforeAll(async () => {
  bench = await GatewayBench.open()
}, 60_000)
afterAll(() => bench[Symbol.asyncDispose]())

const set = (actor: Actor, name: string, value: string) =>
  bench.web.call(vault.setSecret, { actor, name, value })
const list = async (actor: Actor) => (await bench.web.call(vault.listSecrets, { actor })).secrets
const remove = (actor: Actor, name: string, force = false) =>
  bench.web.call(vault.deleteSecret, { actor, name, force })

/** Speaks just enough MCP to run, and says which headers it was sent. */
function echoing() {
  return answering((request, response, body) => {
    if (request.method !== 'POST') return response.writeHead(405).end()
    const message = JSON.parse(body) as { id?: number; method: string; params?: { protocolVersion?: string } }
    if (message.id === undefined) return response.writeHead(202).end()
    const results: Record<string, unknown> = {
      initialize: {
        protocolVersion: '2025-11-25',
        capabilities: { tools: {} },
        serverInfo: { name: 'echoing', version: '1' },
      },
      'tools/list': { tools: [{ name: 'whoami', inputSchema: { type: 'object' } }] },
      'tools/call': {
        content: [{ type: 'text', text: `${request.headers['x-user']} ${request.headers['x-token'] ?? ''}` }],
      },
    }
    const result = results[message.method]
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(
      JSON.stringify(
        result === undefined
          ? { jsonrpc: '2.0', id: message.id, error: { code: -32601, message: 'not known' } }
          : { jsonrpc: '2.0', id: message.id, result },
      ),
    )
  })
}

async function whoami(actor: Actor, name: string): Promise<string> {
  const { connection } = await bench.web.call(
    gateway.ensureConnection,
    { actor, name },
    { timeoutMs: 15_000 },
  )
  const input = { actor, call_id: crypto.randomUUID(), tool: 'whoami', arguments: {} }
  const bytes = await bench.web.stream(gateway.callTool, { connection }, input)
  return String((JSON.parse(new TextDecoder().decode(bytes)) as CallResult).result)
}

/** Everything that is stored, as text; sealed values are bytes and stay so. */
async function dump(): Promise<string> {
  const { rows } = await bench.admin.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname in ('gateway', 'agent', 'tic', 'web')`,
  )
  const lines: string[] = []
  for (const { name } of rows) {
    const table = await bench.admin.query<{ row: string }>(`select t::text as row from ${name} t`)
    lines.push(...table.rows.map(({ row }) => row))
  }
  return lines.join('\n')
}

// @requirement R40
// @requirement R41
// @requirement R42
describe('the vault', () => {
  it('fills servers, tells what uses a secret, and never shows it', async () => {
    const logs = join(bench.folder, 'logs')
    await using _gateway = await bench.gateway({ ALTHING_LOG_DIR: logs })
    const seen: unknown[] = []
    seen.push(await set(ada, 'TOKEN', PLANTED))
    const loud = {
      ...notifier('loud'),
      command: process.execPath,
      args: [
        '-e',
        'console.error(process.env.T, encodeURIComponent(process.env.T), btoa(process.env.T)); process.exit(1)',
      ],
      env: { T: '${TOKEN}' },
      scope: 'personal' as const,
    }
    seen.push(await bench.web.call(testServer, { actor: ada, registration: loud }, { timeoutMs: 30_000 }))
    const failed = await bench.web.call(
      registerServer,
      { actor: ada, registration: loud },
      { timeoutMs: 30_000 },
    )
    expect(failed.state).toBe('failed')
    seen.push(failed, await bench.web.call(listServers, { actor: ada }))

    expect(await list(ada)).toMatchObject([{ name: 'TOKEN', used_by: ['loud'] }])
    expect(await list(bob)).toEqual([])
    await expect(remove(ada, 'TOKEN')).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('loud'),
    })
    await expect(remove(bob, 'TOKEN')).rejects.toMatchObject({ code: 'not_found' })

    const file = join(logs, 'loud.ada.log')
    await until('the stderr line in the file', async () =>
      (await readFile(file, 'utf8').catch(() => '')).includes('[stderr'),
    )
    for (const name of await readdir(logs)) seen.push(await readFile(join(logs, name), 'utf8'))
    seen.push(await bench.web.call(readLog, { actor: ada, name: 'loud', tail: 500 }))
    seen.push(await dump())
    const everything = seen.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))).join('\n')
    expect(everything).toContain('***')
    for (const form of [PLANTED, encodeURIComponent(PLANTED), btoa(PLANTED)])
      expect(everything).not.toContain(form)

    await remove(ada, 'TOKEN', true)
    expect(await list(ada)).toEqual([])
  }, 60_000)

  it('connects what uses a secret anew, also a personal server of an administrator on this host', async () => {
    await using _gateway = await bench.gateway()
    await using server = await echoing()
    await set(ada, 'OWN', 'first-value')
    const registration = {
      name: 'own',
      transport: 'http' as const,
      url: server.url,
      scope: 'personal' as const,
      headers: { 'X-User': 'ada', 'X-Token': '${OWN}' },
    }
    const registered = await bench.web.call(
      registerServer,
      { actor: ada, registration },
      { timeoutMs: 30_000 },
    )
    expect(registered.state).toBe('running')
    expect(await whoami(ada, 'own')).toBe('ada first-value')
    await set(ada, 'OWN', 'second-value')
    expect(await whoami(ada, 'own')).toBe('ada second-value')
  }, 60_000)

  // @case B18: variables that are missing, or not to be filled in
  it('refuses what is missing by field and name', async () => {
    await using _gateway = await bench.gateway()
    const registration = { ...notifier('lacking'), env: { B: '${MISSING}' } }
    await expect(
      bench.web.call(registerServer, { actor: ada, registration }, { timeoutMs: 30_000 }),
    ).rejects.toMatchObject({ code: 'variable_missing', message: expect.stringMatching(/env\.B.*MISSING/) })
  }, 60_000)

  // @case B56: one person's values in the definition of all
  it('gives everybody their own identity and secrets on a shared definition', async () => {
    await using _gateway = await bench.gateway()
    await using server = await echoing()
    await set(ada, 'KEY', 'key-of-ada')
    await bench.web.call(
      registerServer,
      {
        actor: ada,
        registration: {
          name: 'each',
          transport: 'http',
          url: server.url,
          scope: 'shared',
          identity: 'per-user',
          headers: { 'X-User': '${user.id}', 'X-Token': '${KEY}' },
        },
      },
      { timeoutMs: 30_000 },
    )
    await expect(whoami(bob, 'each')).rejects.toThrow(/KEY/)
    await set(bob, 'KEY', 'key-of-bob')
    const calls = Array.from({ length: 40 }, (_, index) =>
      index % 2 === 0 ? whoami(ada, 'each') : whoami(bob, 'each'),
    )
    const answers = await Promise.all(calls)
    for (const [index, answer] of answers.entries())
      expect(answer).toBe(index % 2 === 0 ? 'ada key-of-ada' : 'bob key-of-bob')
    await set(bob, 'KEY', 'another-of-bob')
    expect(await whoami(bob, 'each')).toBe('bob another-of-bob')
    expect(await whoami(ada, 'each')).toBe('ada key-of-ada')
  }, 60_000)

  it('moves to a new master key, and says which key is missing', async () => {
    const given = await bench.stack.envOf('mcp-gateway')
    const old = given.ALTHING_MASTER_KEY ?? ''
    const fresh = randomBytes(32).toString('base64')
    const sealed = async () => {
      const { rows } = await bench.admin.query<{ sealed: Buffer }>(
        'select sealed from gateway.servers where sealed is not null union all select sealed from gateway.secrets',
      )
      return rows.map((row) => row.sealed.subarray(1, 9).toString('hex'))
    }
    const before = new Set(await sealed())
    expect(before.size).toBe(1)
    {
      await using _wrong = await bench.gateway({ ALTHING_MASTER_KEY: fresh })
      const { servers } = await bench.web.call(listServers, { actor: ada })
      const each = servers.find((server) => server.name === 'each')
      await until('the connection is failed', async () => {
        const now = await bench.web.call(gateway.getServer, { actor: ada, name: 'each' })
        return now.state === 'failed' && now.error?.code === 'secret_unreadable'
      })
      const now = await bench.web.call(gateway.getServer, { actor: ada, name: each?.name ?? '' })
      expect(now.error?.detail).toContain(`sealed with another master key (key id ${[...before][0]})`)
    }
    {
      await using _both = await bench.gateway({
        ALTHING_MASTER_KEY: fresh,
        ALTHING_OLD_MASTER_KEYS: `${old},`,
      })
      await until('everything is sealed anew', async () => (await sealed()).every((id) => !before.has(id)))
    }
    await using server = await echoing()
    await using _after = await bench.gateway({ ALTHING_MASTER_KEY: fresh })
    await bench.web.call(
      gateway.updateServer,
      { actor: ada, name: 'each', patch: { url: server.url } },
      { timeoutMs: 30_000 },
    )
    expect(await whoami(bob, 'each')).toBe('bob another-of-bob')
  }, 60_000)
})
