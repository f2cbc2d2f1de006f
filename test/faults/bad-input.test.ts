import { createServer, request, type Server } from 'node:http'
import { text as readText } from 'node:stream/consumers'
import { identify } from '@althing/mcp-client/transport/process-group'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type House, openHouse } from '../harness/house.ts'
import { Person } from '../harness/person.ts'
import { notifier } from '../harness/servers.ts'

let house: House
let ada: Person
let member: Person
let web: Server
let htmlUrl: string

beforeAll(async () => {
  house = await openHouse({
    services: { 'mcp-gateway': 1, web: 1 },
    env: { ALTHING_SERVER_VARIABLES: 'ALLOWED', ALLOWED: 'fine' },
  })
  ada = await Person.first(house.url)
  member = await ada.colleague('bob@example.test', 'member')
  web = createServer((_request, response) => {
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end('<html><title>Sign in</title><body>Log in first</body></html>')
  })
  await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve))
  const address = web.address()
  htmlUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/mcp`
})
afterAll(async () => {
  web?.close()
  await house?.[Symbol.asyncDispose]()
})

const stdio = (name: string, more: Record<string, unknown> = {}) => ({
  name,
  transport: 'stdio',
  command: 'true',
  ...more,
})

// @requirement R11
describe('a registration that is not valid', () => {
  it.each([
    ['an unknown transport', { name: 'x', transport: 'carrier-pigeon', command: 'x' }, 'invalid_request'],
    ['a missing command', { name: 'x', transport: 'stdio' }, 'invalid_request'],
    ['a name with a space', stdio('two words'), 'invalid_request'],
    ['a reserved name', stdio('config'), 'invalid_request'],
    [
      'a field that does not belong',
      { name: 'x', transport: 'http', url: 'http://localhost/', command: 'x' },
      'invalid_request',
    ],
    [
      'an address that is none',
      { name: 'x', transport: 'http', url: 'ftp://example.test/' },
      'invalid_request',
    ],
    [
      'a header with a line break',
      { name: 'x', transport: 'http', url: 'http://localhost/', headers: { A: 'b\nc' } },
      'invalid_request',
    ],
    ['an unset variable', stdio('x', { env: { TOKEN: '${NOT_SET}' } }), 'variable_missing'],
    ['a variable that is not allowed', stdio('x', { env: { TOKEN: '${HOME}' } }), 'variable_missing'],
    ['a default inside a variable', stdio('x', { args: ['${ALLOWED:-x}'] }), 'variable_missing'],
  ])('%s is refused with its code, and nothing is stored', async (_what, registration, code) => {
    const { status, type, body } = await ada.problem('POST', '/api/servers', registration)
    expect(status).toBe(400)
    expect(type).toContain('application/problem+json')
    expect(body).toMatchObject({ status: 400, code, title: expect.any(String), detail: expect.any(String) })
    expect((await ada.send<{ servers: unknown[] }>('GET', '/api/servers')).body.servers).toEqual([])
  })

  it('names the field and the variable, and no value', async () => {
    const { body } = await ada.problem(
      'POST',
      '/api/servers',
      stdio('x', { env: { TOKEN: 'planted-value-${NOT_SET}' } }),
    )
    expect(body.detail).toContain('env.TOKEN')
    expect(body.detail).toContain('NOT_SET')
    expect(JSON.stringify(body)).not.toContain('planted-value')
  })

  it('is refused as malformed when it is no JSON', async () => {
    const { status, body } = await ada.problem('POST', '/api/servers', '{"name":')
    expect([status, body.code]).toEqual([400, 'malformed_json'])
  })

  it('is refused when it is too large', async () => {
    const body = JSON.stringify(stdio('x', { description: 'x'.repeat(5_000_000) }))
    const { status, text } = await postRaw(`${house.url}/api/servers`, body)
    expect(status).toBe(413)
    expect(JSON.parse(text)).toMatchObject({ status: 413, code: 'too_large' })
  })
})

describe('a server that cannot run', () => {
  // @case B17: commands that are not where they are looked for
  it('is kept as failed and says which command was looked for on which PATH', async () => {
    const { status, body } = await ada.register({
      name: 'missing',
      transport: 'stdio',
      command: 'no-such-program',
    })
    expect(status).toBe(201)
    expect(body).toMatchObject({ state: 'failed', error: { code: 'command_not_found' } })
    expect(body.error?.detail).toContain('no-such-program')
    expect(body.error?.detail).toContain('PATH')
  })

  it('names the status and the type of a page that is no MCP', async () => {
    const { body } = await ada.register({ name: 'page', transport: 'http', url: htmlUrl })
    expect(body).toMatchObject({ state: 'failed', error: { code: 'protocol_error' } })
    expect(body.error?.detail).toMatch(/HTTP 200 with text\/html/)
    expect(body.error?.detail).not.toContain('<')
  })

  it('tells why it ended before it was ready', async () => {
    const { body } = await ada.register({
      name: 'exits',
      transport: 'stdio',
      command: 'sh',
      args: ['-c', 'echo broken >&2; exit 3'],
    })
    expect(body).toMatchObject({ state: 'failed', error: { code: 'start_failed' } })
    expect(body.error?.detail).toContain('exited with code 3')
    expect((await ada.send<string>('GET', '/api/servers/exits/log')).body).toMatch(/\[stderr\] {5}broken/)
  })

  it('refuses the cloud metadata address to everybody', async () => {
    const { body } = await ada.register({
      name: 'metadata',
      transport: 'http',
      url: 'http://169.254.169.254/mcp',
    })
    expect(body).toMatchObject({ state: 'failed', error: { code: 'address_not_allowed' } })
  })

  it('tells a test the same without storing anything', async () => {
    const { body } = await ada.send<{ ok: boolean; error: { code: string }; log: string[] }>(
      'POST',
      '/api/servers/test',
      { name: 'tried', transport: 'stdio', command: 'no-such-program' },
    )
    expect(body).toMatchObject({ ok: false, error: { code: 'command_not_found' } })
    expect((await ada.problem('GET', '/api/servers/tried')).body.code).toBe('server_not_found')
  })
})

describe('somebody else', () => {
  it('without an identity is told to sign in', async () => {
    const { status, body } = await Person.anonymous(house.url).problem('GET', '/api/servers')
    expect([status, body.code]).toEqual([401, 'not_authenticated'])
  })

  it('may not take the name of a shared server', async () => {
    await ada.register(notifier('taken'))
    const { status, body } = await member.problem('POST', '/api/servers', {
      name: 'taken',
      transport: 'http',
      url: 'https://example.test/mcp',
    })
    expect([status, body.code]).toEqual([409, 'server_name_taken'])
  })

  it('may not start a program on the host as a member', async () => {
    const { status, body } = await member.problem('POST', '/api/servers', stdio('mine'))
    expect([status, body.code]).toEqual([403, 'forbidden'])
  })

  // @requirement R13
  it('does not see the personal server of another', async () => {
    await ada.register({ ...notifier('private'), scope: 'personal' })
    for (const [method, path] of [
      ['GET', '/api/servers/private'],
      ['GET', '/api/servers/private/tools'],
      ['GET', '/api/servers/private/log'],
      ['DELETE', '/api/servers/private'],
    ] as const) {
      const { status, body } = await member.problem(method, path)
      expect([status, body.code]).toEqual([404, 'server_not_found'])
    }
    const call = await member.problem('POST', '/api/servers/private/tools/echo/call', {
      arguments: { text: 'x' },
    })
    expect(call.body.code).toBe('server_not_found')
    expect((await ada.call('private', 'echo', { text: 'x' })).status).toBe(200)
  })

  it('may use a shared server, and not change it', async () => {
    expect((await member.call('taken', 'echo', { text: 'shared' })).body.result).toContain('shared')
    expect((await member.problem('DELETE', '/api/servers/taken')).body.code).toBe('forbidden')
  })
})

// @case B58: secrets in answers and logs
describe('secrets of a registration', () => {
  // @requirement R12
  it('are in no answer and in no log', async () => {
    const planted = 'PLANTED-8f1c2d'
    await ada.register({
      ...notifier('secretive'),
      env: { API_TOKEN: planted },
    })
    const value = await ada.call('secretive', 'env', { name: 'API_TOKEN' })
    expect(value.body.result).toBe(planted)
    const answers = await Promise.all(
      ['/api/servers', '/api/servers/secretive', '/api/servers/secretive/tools'].map((path) =>
        ada.send('GET', path),
      ),
    )
    expect(JSON.stringify(answers)).not.toContain(planted)
    await ada.call('secretive', 'log', { text: `the token is ${planted}` })
    const log = await ada.send<string>('GET', '/api/servers/secretive/log')
    expect(log.body).not.toContain(planted)
    expect(house.stack.replicas('mcp-gateway')[0]?.tail()).not.toContain(planted)
  })

  it('reach a child only as they were given', async () => {
    expect((await ada.call('secretive', 'env', { name: 'DATABASE_PASSWORD' })).body.result).toBe('(unset)')
    expect((await ada.call('secretive', 'env', { name: 'ALTHING_MASTER_KEY' })).body.result).toBe('(unset)')
  })
})

describe('deleting a server', () => {
  it('leaves no process of it, grandchildren included', async () => {
    await ada.register(notifier('family'))
    const grandchild = Number((await ada.call('family', 'grandchild')).body.result)
    const { pid } = JSON.parse(String((await ada.call('family', 'whoami')).body.result)) as { pid: number }
    expect(isAlive(pid) && isAlive(grandchild)).toBe(true)
    expect((await ada.send('DELETE', '/api/servers/family')).status).toBe(204)
    expect(isAlive(pid) || isAlive(grandchild)).toBe(false)
    expect((await ada.problem('GET', '/api/servers/family')).status).toBe(404)
  })
})

function isAlive(pid: number): boolean {
  return identify(pid) !== undefined
}

/** Sends a body that the server may refuse before it has read it all: the answer counts, not the broken write. */
function postRaw(url: string, body: string): Promise<{ status: number | undefined; text: string }> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': body.length, ...ada.headers }
    const sent = request(url, { method: 'POST', headers }, (response) => {
      readText(response).then((text) => resolve({ status: response.statusCode, text }), reject)
    })
    sent.on('error', () => {})
    sent.end(body)
  })
}
