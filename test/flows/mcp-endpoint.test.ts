import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type House, openHouse } from '../harness/house.ts'
import { Person } from '../harness/person.ts'
import { everything, notifier } from '../harness/servers.ts'
import { until } from '../harness/until.ts'

const ASKING = join(import.meta.dirname, '../fixtures/asking.ts')
const FORM = {
  message: 'Who?',
  requestedSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
}

let house: House
let ada: Person
let key: Person

beforeAll(async () => {
  house = await openHouse()
  ada = await Person.first(house.url)
  key = await ada.withKey('mcp')
  const asking = (era: string) => ({
    name: `asking-${era}`,
    description: `Asks back (${era}).`,
    transport: 'stdio',
    command: process.execPath,
    args: [ASKING, era],
    relays: true,
  })
  for (const server of [asking('legacy'), asking('modern'), everything('everything'), notifier('notifier')])
    expect((await ada.register(server)).body.state).toBe('running')
})
afterAll(() => house[Symbol.asyncDispose]())

type Asked = { method: string; message?: string }

async function client(
  path: string,
  era: 'legacy' | 'modern',
  { person = key, asked = [] as Asked[], changed = () => {} } = {},
): Promise<Client> {
  const made = new Client(
    { name: 'test', version: '1' },
    {
      capabilities: { elicitation: { form: {} }, sampling: {} },
      versionNegotiation: { mode: era === 'modern' ? { pin: '2026-07-28' } : 'legacy' },
      listChanged: { tools: { autoRefresh: false, onChanged: changed } },
    },
  )
  made.setRequestHandler('elicitation/create', async ({ params }) => {
    asked.push({ method: 'elicitation/create', message: params.message })
    return { action: 'accept', content: { name: 'Ada' } }
  })
  made.setRequestHandler('sampling/createMessage', async () => {
    asked.push({ method: 'sampling/createMessage' })
    return { role: 'assistant', content: { type: 'text', text: 'sampled' }, model: 'm' }
  })
  const init = { requestInit: { headers: { ...person.headers } } }
  await made.connect(new StreamableHTTPClientTransport(new URL(house.url + path), init))
  return made
}

function textOf(result: unknown): string {
  return (result as { content: { text: string }[] }).content.map(({ text }) => text).join('')
}

describe.each(['legacy', 'modern'] as const)('a client of the %s era', (era) => {
  // @requirement R20
  it('finds the tools of all servers under their aliases, and calls them', async () => {
    const mcp = await client('/mcp', era)
    const { tools } = await mcp.listTools()
    expect(tools.map((tool) => tool.name)).toEqual(
      expect.arrayContaining(['mcp__everything__echo', 'mcp__notifier__whoami', 'mcp__asking-legacy__ask']),
    )
    const result = await mcp.callTool({ name: 'mcp__everything__echo', arguments: { message: 'hello' } })
    expect(textOf(result)).toContain('hello')
    await mcp.close()
  })

  it('finds one server under its own names', async () => {
    const mcp = await client('/mcp/everything', era)
    const names = (await mcp.listTools()).tools.map((tool) => tool.name)
    expect(names).toContain('echo')
    expect(names.some((name) => name.startsWith('mcp__'))).toBe(false)
    await expect(mcp.callTool({ name: 'nope', arguments: {} })).rejects.toMatchObject({ code: -32602 })
    await mcp.close()
  })

  it.each(['legacy', 'modern'])('is asked what a server of the %s era asks', async (of) => {
    const asked: Asked[] = []
    const mcp = await client(`/mcp/asking-${of}`, era, { asked })
    const result = await mcp.callTool({ name: 'ask', arguments: FORM })
    expect(JSON.parse(textOf(result))).toEqual({ action: 'accept', content: { name: 'Ada' } })
    const sampled = await mcp.callTool({ name: 'sample', arguments: { messages: [], maxTokens: 5 } })
    expect(textOf(sampled)).toContain('sampled')
    expect(asked.map(({ method }) => method)).toEqual(['elicitation/create', 'sampling/createMessage'])
    await mcp.close()
  })

  it('reads resources and prompts', async () => {
    const mcp = await client('/mcp/asking-modern', era)
    expect((await mcp.listResources()).resources).toMatchObject([{ uri: 'test://a' }])
    expect((await mcp.readResource({ uri: 'test://a' })).contents).toMatchObject([{ uri: 'test://a' }])
    const prompt = await mcp.getPrompt({ name: 'greet', arguments: { who: 'you' } })
    expect(prompt.messages[0]?.content).toMatchObject({ text: 'Hello you' })
    const whole = await client('/mcp', era)
    expect((await whole.listPrompts()).prompts.map(({ name }) => name)).toContain('asking-modern__greet')
    const named = await whole.getPrompt({ name: 'asking-modern__greet', arguments: { who: 'all' } })
    expect(named.messages[0]?.content).toMatchObject({ text: 'Hello all' })
    await Promise.all([mcp.close(), whole.close()])
  })

  it('hears progress', async () => {
    const mcp = await client('/mcp/asking-legacy', era)
    const heard: unknown[] = []
    await mcp.callTool(
      { name: 'log', arguments: { text: 'x' } },
      { onprogress: ({ progress, total }) => heard.push([progress, total]) },
    )
    expect(heard).toEqual([[1, 2]])
    await mcp.close()
  })

  it('hears of changed tools', async () => {
    const changed = Promise.withResolvers<void>()
    const mcp = await client('/mcp', era, { changed: () => changed.resolve() })
    const name = `added-for-${era}`
    await until('the stream is open', async () => {
      await mcp.callTool({ name: 'mcp__asking-legacy__change', arguments: { add: name } })
      return Promise.race([
        changed.promise.then(() => true),
        new Promise((r) => setTimeout(() => r(false), 500)),
      ]) as Promise<boolean>
    })
    await until('the tool is listed', async () =>
      (await mcp.listTools()).tools.some((tool) => tool.name.endsWith(name)),
    )
    await mcp.close()
  })

  it('cancels at the server', async () => {
    const mcp = await client('/mcp/notifier', era)
    const stop = new AbortController()
    const calling = mcp.callTool({ name: 'slow', arguments: { ms: 60_000 } }, { signal: stop.signal })
    const log = async (text: string) =>
      String((await ada.send('GET', '/api/servers/notifier/log')).body).split(text).length - 1
    const before = await log('slow cancelled')
    await until('the call has begun', async () => (await log('slow started')) > before)
    stop.abort()
    await expect(calling).rejects.toThrow()
    await until('the server was told', async () => (await log('slow cancelled')) > before)
    await mcp.close()
  })

  it('starts with two tools when it asks for that', async () => {
    const mcp = await client('/mcp?lazy=1', era)
    expect((await mcp.listTools()).tools.map(({ name }) => name)).toEqual(['activate_tools', 'find_tools'])
    const found = await mcp.callTool({ name: 'find_tools', arguments: { query: 'echo' } })
    expect(textOf(found)).toContain('mcp__everything__echo')
    const activated = await mcp.callTool({
      name: 'activate_tools',
      arguments: { servers: ['everything', 'nope'] },
    })
    expect(textOf(activated)).toContain('"unknown"')
    expect((await mcp.listTools()).tools.map(({ name }) => name)).toContain('mcp__everything__echo')
    await mcp.close()
  })
})

describe('the door', () => {
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }

  it('takes an API key and nothing else', async () => {
    const nobody = await Person.anonymous(house.url).send('POST', '/mcp', ping)
    expect(nobody.status).toBe(401)
    expect((await ada.send('POST', '/mcp', ping)).status).toBe(401)
    expect(await key.send('POST', '/mcp', ping)).toMatchObject({ status: 200, body: { id: 1, result: {} } })
  })

  it.each([
    ['{not json', 400, -32700],
    ['[]', 400, -32600],
    [JSON.stringify({ jsonrpc: '1.0', id: 1, method: 'ping' }), 400, -32600],
    [JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'nope' }), 200, -32601],
    [JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 7 } }), 200, -32602],
  ])('answers %s with its code', async (body, status, code) => {
    expect(await key.send('POST', '/mcp', body)).toMatchObject({ status, body: { error: { code } } })
  })

  it('does not know a session of somebody else, or an ended one', async () => {
    const init = {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {} },
    }
    const response = await key.fetch('/mcp', { method: 'POST', body: JSON.stringify(init) })
    const session = response.headers.get('mcp-session-id') ?? ''
    await response.arrayBuffer()
    const bob = await (await ada.colleague('bob@example.test', 'member')).withKey('mcp')
    const withSession = (person: Person, method: string) =>
      person.fetch('/mcp', {
        method,
        headers: { 'mcp-session-id': session },
        ...(method === 'POST' ? { body: JSON.stringify(ping) } : {}),
      })
    expect((await withSession(bob, 'POST')).status).toBe(404)
    expect((await withSession(key, 'POST')).status).toBe(200)
    expect((await withSession(key, 'DELETE')).status).toBe(204)
    expect((await withSession(key, 'POST')).status).toBe(404)
  })

  it("does not show another person's servers", async () => {
    const cy = await (await ada.colleague('cy@example.test', 'member')).withKey('mcp')
    await ada.register({ ...notifier('private'), scope: 'personal' })
    const mine = await client('/mcp', 'modern')
    const theirs = await client('/mcp', 'modern', { person: cy })
    const names = async (mcp: Client) => (await mcp.listTools()).tools.map(({ name }) => name)
    expect(await names(mine)).toContain('mcp__private__whoami')
    expect(await names(theirs)).not.toContain('mcp__private__whoami')
    const foreign = cy.send('POST', '/mcp/private', {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'whoami', arguments: {} },
    })
    expect((await foreign).body).toMatchObject({ error: { data: { code: 'server_not_found' } } })
    await Promise.all([mine.close(), theirs.close()])
  })
})
