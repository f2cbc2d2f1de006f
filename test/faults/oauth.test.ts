import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type AuthorizationOptions, AuthorizationServer } from '../fixtures/authorization-server.ts'
import { type House, openHouse } from '../harness/house.ts'
import { Person } from '../harness/person.ts'
import { until } from '../harness/until.ts'

let house: House
let ada: Person
let bob: Person
let database: pg.Client
let names = 0

beforeAll(async () => {
  house = await openHouse({ services: { 'mcp-gateway': 2, agent: 1, 'tic-worker': 1, web: 1 } })
  ada = await Person.first(house.url)
  bob = await ada.colleague('bob@example.test', 'member')
  database = new pg.Client({ connectionString: house.stack.adminDatabaseUrl() })
  await database.connect()
})
afterAll(async () => {
  await database?.end()
  await house?.[Symbol.asyncDispose]()
})

async function register(options: AuthorizationOptions = {}, more: Record<string, unknown> = {}) {
  const guard = await AuthorizationServer.open(options)
  onTestFinished(() => guard[Symbol.asyncDispose]())
  const name = `guarded-${++names}`
  const { body } = await ada.register({ name, transport: 'http', url: guard.url, ...more })
  expect(body).toMatchObject({ state: 'needs_auth', error: { code: 'needs_auth' } })
  return { guard, name }
}

/** Begins a sign-in and lets a browser that is signed in nowhere come back with the consent. */
async function comeBack(person: Person, name: string): Promise<URL> {
  const begun = await person.send<{ authorization_url: string }>('POST', `/api/servers/${name}/oauth/start`)
  expect(begun).toMatchObject({ status: 200 })
  const consent = await fetch(begun.body.authorization_url, { redirect: 'manual' })
  return new URL(consent.headers.get('location') ?? '')
}

async function signIn(person: Person, name: string): Promise<void> {
  const answer = await fetch(await comeBack(person, name), { redirect: 'manual' })
  expect([answer.status, answer.headers.get('location')]).toEqual([303, `/servers/${name}`])
}

async function whoami(person: Person, name: string): Promise<unknown> {
  const { status, body } = await person.call(name, 'whoami')
  return status === 200 ? body.result : body
}

async function readLogs(): Promise<string[]> {
  const folder = join(house.dataDir, 'logs')
  const files = await readdir(folder, { recursive: true, withFileTypes: true })
  const logs = files.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name))
  return Promise.all(logs.map((file) => readFile(file, 'utf8')))
}

const stateOf = async (name: string) => (await ada.server(name)).state

describe('signing in to a server', () => {
  it('connects it, for everybody where an administrator consents', async () => {
    const { name } = await register()
    await signIn(ada, name)
    expect(await ada.server(name)).toMatchObject({ state: 'running', tool_count: 1 })
    expect(await whoami(bob, name)).toBe('0')
  })

  it("is an administrator's to do where one consent serves all", async () => {
    const { name } = await register()
    const refused = await bob.problem('POST', `/api/servers/${name}/oauth/start`)
    expect(refused).toMatchObject({ status: 403, body: { code: 'forbidden' } })
    expect((await bob.problem('DELETE', `/api/servers/${name}/oauth`)).status).toBe(403)
  })

  it('gives everybody their own account where the server has an identity per person', async () => {
    const { name } = await register({}, { identity: 'per-user' })
    await signIn(bob, name)
    await signIn(ada, name)
    expect([await whoami(bob, name), await whoami(ada, name)]).toEqual(['0', '1'])
  })

  // @requirement R45
  it('is good once, and only for who began it', async () => {
    const { guard, name } = await register()
    const back = await comeBack(ada, name)
    const elsewhere = await bob.fetch(back.pathname + back.search, { redirect: 'manual' })
    expect(elsewhere.status).toBe(404)
    expect(await elsewhere.text()).toContain('Begin it again')
    expect(guard.seen).not.toContain('POST /token')
    expect((await fetch(back, { redirect: 'manual' })).status).toBe(303)
    expect((await fetch(back, { redirect: 'manual' })).status).toBe(404)
  })

  it('is over after ten minutes', async () => {
    const { name } = await register()
    const back = await comeBack(ada, name)
    const { rows } = await database.query(
      `update gateway.oauth_pending set expires_at = expires_at - interval '10 minutes' returning expires_at`,
    )
    expect(rows.every(({ expires_at }) => expires_at <= new Date())).toBe(true)
    expect((await fetch(back, { redirect: 'manual' })).status).toBe(404)
  })

  it('shows what was refused as text', async () => {
    const { name } = await register()
    const back = await comeBack(ada, name)
    back.searchParams.delete('code')
    back.searchParams.set('error', 'access_denied')
    back.searchParams.set('error_description', '<script>alert(1)</script>')
    const answer = await fetch(back, { redirect: 'manual' })
    expect(answer.status).toBe(403)
    expect(await answer.text()).toMatch(/access_denied \(&#60;script&#62;/)
  })

  // @requirement R45
  it('leaves no secret in the database in clear, in an answer or in a log', async () => {
    const { guard, name } = await register()
    const back = await comeBack(ada, name)
    await fetch(back, { redirect: 'manual' })
    guard.expireAccess()
    await whoami(ada, name)
    const kept: unknown[] = []
    for (const table of ['grants', 'clients', 'pending']) {
      const text = `select o::text, encode(sealed, 'escape') from gateway.oauth_${table} o`
      kept.push((await database.query(text)).rows)
    }
    const everything = [
      JSON.stringify(kept),
      JSON.stringify(await ada.server(name)),
      (await ada.send<string>('GET', `/api/servers/${name}/log`)).body,
      ...(await readLogs()),
    ].join('\n')
    const secrets = [...guard.secrets, back.searchParams.get('state') ?? '']
    expect(secrets.filter((secret) => everything.includes(secret))).toEqual([])
  })
})

describe('a client that was arranged', () => {
  it('is who asks, and its secret is shown to nobody', async () => {
    const oauth = { client_id: 'arranged', client_secret: 'PLANTED-secret', scopes: ['read'] }
    const { guard, name } = await register({ noRegistration: true }, { oauth })
    await signIn(ada, name)
    expect([guard.asked.get('client_id'), guard.asked.get('scope')]).toEqual(['arranged', 'read'])
    const { rows } = await database.query('select * from gateway.servers where name = $1', [name])
    expect(JSON.stringify([rows, await ada.server(name)])).not.toContain('PLANTED')
  })
})

describe('a token', () => {
  it('is renewed when the server refuses it, and the call goes on', async () => {
    const { guard, name } = await register()
    await signIn(ada, name)
    guard.expireAccess()
    const calls = await Promise.all(Array.from({ length: 5 }, () => whoami(ada, name)))
    expect(new Set(calls)).toEqual(new Set(['0']))
    expect([guard.refreshes, guard.reused]).toEqual([1, 0])
  })

  it('that is revoked ends the connection: somebody must sign in again', async () => {
    const { guard, name } = await register()
    await signIn(ada, name)
    guard.revokeAll()
    expect(await whoami(ada, name)).toMatchObject({ code: 'needs_auth' })
    await until('it waits for a sign-in', async () => (await stateOf(name)) === 'needs_auth' || undefined)
    await signIn(ada, name)
    expect(await stateOf(name)).toBe('running')
  })

  it('with a scope too few is widened by another consent, and the server stays', async () => {
    const { guard, name } = await register({ callScope: 'write', challenges: ['Bearer scope="read"'] })
    await signIn(ada, name)
    expect(guard.asked.get('scope')).toBe('read')
    expect(await whoami(ada, name)).toMatchObject({
      code: 'needs_auth',
      detail: expect.stringContaining('"write"'),
    })
    expect(await stateOf(name)).toBe('running')
    await signIn(ada, name)
    expect(guard.asked.get('scope')?.split(' ').sort()).toEqual(['read', 'write'])
    expect(await whoami(ada, name)).toBe('1')
  })

  it('is given back when it is forgotten', async () => {
    const { guard, name } = await register()
    await signIn(ada, name)
    expect((await ada.send('DELETE', `/api/servers/${name}/oauth`)).status).toBe(204)
    expect(await stateOf(name)).toBe('needs_auth')
    expect(guard.revocations).toHaveLength(1)
  })

  // @requirement R46
  it('goes to no other address than it was given for', async () => {
    const { guard, name } = await register()
    await signIn(ada, name)
    const other = await AuthorizationServer.open()
    onTestFinished(() => other[Symbol.asyncDispose]())
    const moved = await ada.send('PATCH', `/api/servers/${name}`, { url: other.url })
    expect(moved.body).toMatchObject({ state: 'needs_auth' })
    expect(guard.bearers.size).toBe(1)
    expect(other.bearers.size).toBe(0)
  })
})
