import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type House, openHouse } from '../harness/house.ts'
import { Person } from '../harness/person.ts'
import { everything, notifier, startEverythingOverHttp } from '../harness/servers.ts'
import { until } from '../harness/until.ts'

let house: House
let ada: Person
let overHttp: Awaited<ReturnType<typeof startEverythingOverHttp>>

beforeAll(async () => {
  ;[house, overHttp] = await Promise.all([openHouse(), startEverythingOverHttp()])
  ada = await Person.first(house.url)
})
afterAll(async () => {
  await Promise.all([house?.[Symbol.asyncDispose](), overHttp?.[Symbol.asyncDispose]()])
})

describe.each(['stdio', 'http'] as const)('a server over %s', (transport) => {
  const name = `everything-${transport}`

  // @requirement R1
  it('is running with its tools in the answer to its registration', async () => {
    const { status, body } = await ada.register(
      transport === 'stdio' ? everything(name) : { name, transport, url: overHttp.url },
    )
    expect(status).toBe(201)
    expect(body).toMatchObject({ name, state: 'running', transport })
    expect(body.tools.map((tool) => tool.name)).toContain('echo')
    expect(body.tool_count).toBe(body.tools.length)
  })

  it('gives text as text', async () => {
    const { status, body } = await ada.call(name, 'echo', { message: 'hello' })
    expect(status).toBe(200)
    expect(body).toMatchObject({ is_error: false, result_type: 'string' })
    expect(body.result).toContain('hello')
  })

  // @requirement R2
  it('keeps json as json', async () => {
    const { body } = await ada.call(name, 'get-structured-content', { location: 'New York' })
    expect(body.result_type).toBe('json')
    expect(body.result).toMatchObject({ temperature: expect.any(Number), conditions: expect.any(String) })
  })

  it('answers an unknown tool with its code', async () => {
    const { status, body } = await ada.problem('POST', `/api/servers/${name}/tools/nope/call`, {
      arguments: {},
    })
    expect(status).toBe(404)
    expect(body.code).toBe('tool_not_found')
  })

  it('stops and comes back when it is switched off and on', async () => {
    const off = await ada.send('PATCH', `/api/servers/${name}`, { enabled: false })
    expect(off.body).toMatchObject({ enabled: false, state: 'disabled' })
    const refused = await ada.problem('POST', `/api/servers/${name}/tools/echo/call`, {
      arguments: { message: 'x' },
    })
    expect(refused.body.code).toBe('server_not_running')
    const on = await ada.send('PATCH', `/api/servers/${name}`, { enabled: true })
    expect(on.body).toMatchObject({ enabled: true, state: 'running' })
    expect((await ada.call(name, 'echo', { message: 'again' })).body.result).toContain('again')
  })
})

describe('a server whose process is killed during a call', () => {
  // @requirement R3
  it('fails the call within a second, is back within two, and serves the next call', async () => {
    await ada.register(notifier('fragile'))
    const began = performance.now()
    const { status, body } = await ada.problem('POST', '/api/servers/fragile/tools/crash/call', {
      arguments: {},
    })
    expect(performance.now() - began).toBeLessThan(1000)
    expect(status).toBe(502)
    expect(body.code).toBe('connection_lost')
    await until('the server is back', async () => (await ada.server('fragile')).state === 'running', 2500)
    expect((await ada.call('fragile', 'echo', { text: 'alive' })).body.result).toContain('alive')
  })
})

describe('a call whose HTTP request is closed', () => {
  // @requirement R4
  it('is cancelled at the server', async () => {
    await ada.register(notifier('slow'))
    const closing = new AbortController()
    const call = ada.send(
      'POST',
      '/api/servers/slow/tools/slow/call',
      { arguments: { ms: 60_000 } },
      closing.signal,
    )
    call.catch(() => {})
    await until('the server works on it', async () => (await log('slow')).includes('slow started'))
    closing.abort()
    await until('the server heard of it', async () => (await log('slow')).includes('slow cancelled'))
  })
})

async function log(name: string): Promise<string> {
  return (await ada.send<string>('GET', `/api/servers/${name}/log`)).body
}
