import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Stack, startStack } from '@althing/local-stack/stack'
import { gatewayLive } from '@althing/protocol/bus/gateway'
import { EVERYBODY } from '@althing/protocol/bus/live-stream'
import { ROUTES } from '@althing/protocol/catalogue'
import { Problem } from '@althing/protocol/model/problem'
import type { User } from '@althing/protocol/model/user'
import { Bus } from '@althing/runtime/bus/bus'
import { readConfig, ServiceConfig } from '@althing/runtime/config'
import { openLog } from '@althing/runtime/log'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebConfig } from './config.ts'
import { createWeb } from './service.ts'

const ADMIN = { email: 'admin@example.test', name: 'Admin', password: 'correct horse battery' }
const cleanup = new AsyncDisposableStack()
let stack: Stack
let base = ''
let gateway: Bus
let admin = ''

async function startWeb(
  more: Readonly<Record<string, string>> = {},
): Promise<AsyncDisposable & { port: number }> {
  const env = {
    ...(await stack.envOf('web')),
    PORT: '0',
    LOG_LEVEL: 'error',
    ALTHING_UI_DIR: '/nowhere',
    ...more,
  }
  return createWeb(readConfig(WebConfig, env))
}

interface Options {
  readonly cookie?: string
  readonly key?: string
  readonly origin?: string | null
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

function ask(method: string, path: string, options: Options = {}): Promise<Response> {
  const { cookie, key, origin = options.cookie ? base : null, body, headers } = options
  return fetch(`${base}${path}`, {
    method,
    headers: {
      ...(cookie ? { cookie } : {}),
      ...(key ? { authorization: `Bearer ${key}` } : {}),
      ...(origin === null ? {} : { origin }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
}

async function expectProblem(response: Response, status: number, code: string): Promise<Problem> {
  const problem = Problem.parse(await response.json())
  expect([response.status, problem.status, problem.code]).toEqual([status, status, code])
  expect(response.headers.get('content-type')).toContain('application/problem+json')
  return problem
}

async function signIn(email: string, password: string): Promise<string> {
  const response = await ask('POST', '/api/auth/sign-in/email', { body: { email, password } })
  expect(response.status).toBe(200)
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';', 1)[0])
    .join('; ')
}

async function makeUser(role: User['role']): Promise<{ user: User; cookie: string }> {
  const email = `${role}-${crypto.randomUUID()}@example.test`
  const response = await ask('POST', '/api/users', { cookie: admin, body: { email, name: 'Some', role } })
  expect(response.status).toBe(201)
  const user = (await response.json()) as User & { password: string }
  return { user, cookie: await signIn(email, user.password) }
}

beforeAll(async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'althing-web-'))
  cleanup.defer(() => rm(dataDir, { recursive: true, force: true }))
  stack = cleanup.use(await startStack({ dataDir, durable: false, services: {}, say: () => {} }))
  const web = cleanup.use(
    await startWeb({ ALTHING_BODY_LIMIT_BYTES: '65536', ALTHING_SIGN_IN_LIMIT: '1000' }),
  )
  base = `http://127.0.0.1:${web.port}`
  const config = readConfig(ServiceConfig, await stack.envOf('mcp-gateway'))
  gateway = cleanup.use(await Bus.open('mcp-gateway', 'test', config, openLog('test', 'test', 'error')))

  expect(await (await ask('GET', '/api/setup')).json()).toEqual({ needed: true })
  const tries = await Promise.all([1, 2, 3].map(() => ask('POST', '/api/setup', { body: ADMIN })))
  expect(tries.map((one) => one.status).sort()).toEqual([201, 409, 409])
  admin = await signIn(ADMIN.email, ADMIN.password)
})

afterAll(() => cleanup.disposeAsync())

describe('set-up', () => {
  it('works once', async () => {
    expect(await (await ask('GET', '/api/setup')).json()).toEqual({ needed: false })
    await expectProblem(await ask('POST', '/api/setup', { body: ADMIN }), 409, 'set_up_done')
  })
})

describe('identity', () => {
  it('is a session cookie that scripts cannot read', async () => {
    const response = await ask('POST', '/api/auth/sign-in/email', { body: ADMIN })
    expect(response.headers.get('set-cookie')).toMatch(/HttpOnly; SameSite=Lax/i)
    const me = await ask('GET', '/api/me', { cookie: admin })
    expect(await me.json()).toMatchObject({ email: ADMIN.email, role: 'admin' })
  })

  it('is refused with a wrong password, for an unknown address in the same words', async () => {
    const wrong = { ...ADMIN, password: 'not the password' }
    const first = await ask('POST', '/api/auth/sign-in/email', { body: wrong })
    const a = await expectProblem(first, 401, 'invalid_credentials')
    const second = await ask('POST', '/api/auth/sign-in/email', {
      body: { ...wrong, email: 'x@example.test' },
    })
    expect(await expectProblem(second, 401, 'invalid_credentials')).toEqual(a)
  })

  it('ends with sign-out at once', async () => {
    const cookie = await signIn(ADMIN.email, ADMIN.password)
    expect((await ask('GET', '/api/me', { cookie })).status).toBe(200)
    expect((await ask('POST', '/api/auth/sign-out', { cookie })).status).toBe(200)
    await expectProblem(await ask('GET', '/api/me', { cookie }), 401, 'not_authenticated')
  })

  it('is an API key until it is deleted', async () => {
    const made = await ask('POST', '/api/api-keys', { cookie: admin, body: { name: 'ci' } })
    expect(made.status).toBe(201)
    const { id, key } = (await made.json()) as { id: string; key: string }
    for (let count = 0; count < 30; count++) expect((await ask('GET', '/api/me', { key })).status).toBe(200)
    const listed = await (await ask('GET', '/api/api-keys', { key })).json()
    expect(listed).toMatchObject({ api_keys: [{ id, name: 'ci' }] })
    expect(JSON.stringify(listed)).not.toContain(key)
    expect((await ask('DELETE', `/api/api-keys/${id}`, { key })).status).toBe(204)
    await expectProblem(await ask('GET', '/api/me', { key }), 401, 'not_authenticated')
    await expectProblem(await ask('DELETE', `/api/api-keys/${id}`, { cookie: admin }), 404, 'not_found')
    await expectProblem(await ask('DELETE', '/api/api-keys/nothing', { cookie: admin }), 404, 'not_found')
  })

  it.each(['/api/auth/sign-up/email', '/api/auth/api-key/create', '/api/auth/update-user'])(
    'has no door at %s',
    async (path) => {
      await expectProblem(await ask('POST', path, { cookie: admin, body: {} }), 404, 'not_found')
    },
  )

  it('is asked for by every route that is not public', async () => {
    for (const route of ROUTES) {
      const path = route.path.replaceAll(/\{\w+\}/g, 'x')
      const response = await ask(route.method, path)
      if (route.access === 'public') expect(response.status, route.name).not.toBe(404)
      else await expectProblem(response, 401, 'not_authenticated')
    }
  })
})

describe('roles', () => {
  it('keep administration from members', async () => {
    const { cookie } = await makeUser('member')
    await expectProblem(await ask('GET', '/api/users', { cookie }), 403, 'forbidden')
    await expectProblem(await ask('GET', '/api/audit', { cookie }), 403, 'forbidden')
  })

  it('let auditors look, keep their own keys, and change nothing', async () => {
    const { cookie } = await makeUser('auditor')
    await expectProblem(await ask('POST', '/api/sessions', { cookie, body: {} }), 403, 'forbidden')
    expect((await ask('GET', '/api/me', { cookie })).status).toBe(200)
    expect((await ask('POST', '/api/api-keys', { cookie, body: { name: 'mine' } })).status).toBe(201)
    expect((await ask('POST', '/api/auth/sign-out', { cookie })).status).toBe(200)
  })

  it('change with the next request', async () => {
    const { user, cookie } = await makeUser('member')
    await expectProblem(await ask('GET', '/api/users', { cookie }), 403, 'forbidden')
    await ask('PATCH', `/api/users/${user.id}`, { cookie: admin, body: { role: 'admin' } })
    expect((await ask('GET', '/api/users', { cookie })).status).toBe(200)
    expect((await ask('DELETE', `/api/users/${user.id}`, { cookie: admin })).status).toBe(204)
    await expectProblem(await ask('GET', '/api/me', { cookie }), 401, 'not_authenticated')
  })

  it('leave one administrator, however many leave at once', async () => {
    const others = await Promise.all([makeUser('admin'), makeUser('admin')])
    const me = (await (await ask('GET', '/api/me', { cookie: admin })).json()) as User
    for (const other of others) await ask('DELETE', `/api/users/${other.user.id}`, { cookie: admin })
    const demoted = await ask('PATCH', `/api/users/${me.id}`, { cookie: admin, body: { role: 'member' } })
    await expectProblem(demoted, 409, 'conflict')
    await expectProblem(await ask('DELETE', `/api/users/${me.id}`, { cookie: admin }), 409, 'conflict')
  })

  it('refuse a second account for one address', async () => {
    const again = await ask('POST', '/api/users', {
      cookie: admin,
      body: { email: ADMIN.email.toUpperCase(), name: 'X', role: 'member' },
    })
    await expectProblem(again, 409, 'conflict')
  })
})

describe('what is not a good request', () => {
  it('is answered with problem details', async () => {
    await expectProblem(await ask('GET', '/api/nothing'), 404, 'not_found')
    await expectProblem(await ask('GET', '/api/%E0%A4%A'), 400, 'invalid_request')
    const wrongMethod = await ask('PUT', '/api/users', { cookie: admin, body: {} })
    expect(wrongMethod.headers.get('allow')).toBe('GET, POST')
    await expectProblem(wrongMethod, 405, 'method_not_allowed')
    const large = await ask('POST', '/api/users', { cookie: admin, body: { name: 'x'.repeat(70_000) } })
    await expectProblem(large, 413, 'too_large')
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const typed = await ask('POST', '/api/users', { cookie: admin, body: 'a=1', headers: form })
    await expectProblem(typed, 415, 'unsupported_media_type')
    const broken = await ask('POST', '/api/users', { cookie: admin, body: '{"a":' })
    await expectProblem(broken, 400, 'malformed_json')
    const wrong = await ask('POST', '/api/users', { cookie: admin, body: { email: 1, extra: true } })
    expect((await expectProblem(wrong, 400, 'invalid_request')).issues).toHaveLength(4)
    await expectProblem(await ask('GET', '/api/audit?limit=0', { cookie: admin }), 400, 'invalid_request')
  })
})

describe('other sites', () => {
  const body = { name: 'key' }

  it('cannot act with a cookie', async () => {
    for (const origin of ['https://evil.example', 'null', null]) {
      const response = await ask('POST', '/api/api-keys', { cookie: admin, origin, body })
      await expectProblem(response, 403, 'untrusted_origin')
    }
    const signingIn = await ask('POST', '/api/auth/sign-in/email', {
      origin: 'https://evil.example',
      body: ADMIN,
    })
    await expectProblem(signingIn, 403, 'untrusted_origin')
  })

  it('do not matter for an API key', async () => {
    const made = await ask('POST', '/api/api-keys', { cookie: admin, body })
    const { key } = (await made.json()) as { key: string }
    expect((await ask('POST', '/api/api-keys', { key, body })).status).toBe(201)
  })

  it('may be trusted by the deployment', async () => {
    await using other = await startWeb({
      ALTHING_TRUSTED_ORIGINS: 'https://one.example, https://two.example/',
    })
    const response = await fetch(`http://127.0.0.1:${other.port}/api/api-keys`, {
      method: 'POST',
      headers: { cookie: admin, origin: 'https://two.example', 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    expect(response.status).toBe(201)
  })
})

describe('the audit', () => {
  it('says who did what, and holds no bodies', async () => {
    const { user } = await makeUser('member')
    await ask('DELETE', `/api/users/${user.id}`, { cookie: admin })
    const entries = async () => {
      const response = await ask('GET', '/api/audit?limit=5', { cookie: admin })
      return ((await response.json()) as AuditPage).entries
    }
    await expect.poll(entries).toContainEqual(
      expect.objectContaining({
        action: 'deleteUser',
        target: user.id,
        outcome: 'ok',
        address: '127.0.0.1',
      }),
    )
    await expect.poll(entries).toContainEqual(expect.objectContaining({ action: 'signIn', actor: user.id }))
    const first = (await (await ask('GET', '/api/audit?limit=2', { cookie: admin })).json()) as AuditPage
    const second = await ask('GET', `/api/audit?limit=2&cursor=${first.next_cursor}`, { cookie: admin })
    const ids = [...first.entries, ...((await second.json()) as AuditPage).entries].map((one) =>
      Number(one.id),
    )
    expect(ids).toEqual([...ids].sort((a, b) => b - a))
    expect(new Set(ids).size).toBe(4)
  })
})

interface AuditPage {
  readonly entries: readonly { readonly id: string }[]
  readonly next_cursor: string
}

describe('the first administrator', () => {
  it('may be named by the environment, and sign-in is limited by address', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'althing-web-'))
    await using folder = new AsyncDisposableStack()
    folder.defer(() => rm(dataDir, { recursive: true, force: true }))
    const fresh = folder.use(await startStack({ dataDir, durable: false, services: {}, say: () => {} }))
    const env = {
      ...(await fresh.envOf('web')),
      PORT: '0',
      LOG_LEVEL: 'error',
      ALTHING_ADMIN_EMAIL: 'Root@Example.test',
      ALTHING_ADMIN_PASSWORD: 'root root root',
      ALTHING_SIGN_IN_LIMIT: '3',
    }
    for (let start = 0; start < 2; start++) {
      await using web = await createWeb(readConfig(WebConfig, env))
      const statuses: number[] = []
      for (let count = 0; count < 4; count++) {
        const response = await fetch(`http://127.0.0.1:${web.port}/api/auth/sign-in/email`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ email: 'root@example.test', password: 'root root root' }),
        })
        statuses.push(response.status)
      }
      expect(statuses).toEqual([200, 200, 200, 429])
    }
  })
})

describe('services that are not there', () => {
  it('are 503, not a hanging request', async () => {
    const asked = [
      ['GET', '/api/servers', undefined],
      ['POST', '/api/servers', { name: 'x', transport: 'stdio', command: 'x' }],
      ['GET', '/api/sessions', undefined],
      ['GET', '/api/inbox', undefined],
      ['GET', '/api/events', undefined],
      ['POST', '/api/tic/run', undefined],
      ['GET', '/api/servers/x/log', undefined],
    ] as const
    for (const [method, path, body] of asked) {
      await expectProblem(await ask(method, path, { cookie: admin, body }), 503, 'unavailable')
    }
    await expectProblem(await ask('GET', '/api/sessions/x', { cookie: admin }), 404, 'session_not_found')
  })
})

describe('the page', () => {
  it('says in one sentence that it is not built, and answers only to browsers', async () => {
    const page = await ask('GET', '/servers', { headers: { accept: 'text/html' } })
    expect(page.status).toBe(503)
    expect(await page.text()).toMatch(/^The web page is not built.*\n$/)
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self'")
    expect(page.headers.get('content-security-policy')).not.toContain('unsafe')
    await expectProblem(await ask('GET', '/servers'), 404, 'not_found')
    const api = await ask('GET', '/api/nothing', { headers: { accept: 'text/html' } })
    await expectProblem(api, 404, 'not_found')
  })

  it('has its API described', async () => {
    const document = (await (await ask('GET', '/api/openapi.json')).json()) as { paths: object }
    expect(Object.keys(document.paths)).toEqual([...new Set(ROUTES.map((route) => route.path))])
    expect((await ask('GET', '/readyz')).status).toBe(200)
  })
})

describe('the live stream', () => {
  const say = (user: string, total: number) =>
    gateway.publish(gatewayLive, { user }, { type: 'inbox.changed', data: { total } })

  it('resumes without a gap or a double, and shows nobody what is for another', async () => {
    const me = (await (await ask('GET', '/api/me', { cookie: admin })).json()) as User
    await using first = await openLive()
    say(me.id, 1)
    say('somebody-else', 2)
    say(EVERYBODY, 3)
    await expect.poll(() => first.totals()).toEqual([1, 3])
    const last = first.lastId()
    await first[Symbol.asyncDispose]()

    for (let total = 4; total < 20; total++) say(total % 2 ? EVERYBODY : me.id, total)
    await using second = await openLive(last)
    for (let total = 20; total < 30; total++) say(me.id, total)
    await expect.poll(() => second.totals()).toEqual(Array.from({ length: 26 }, (_none, index) => index + 4))
  })

  it('goes on, without a gap, when the bus was gone', async () => {
    await using live = await openLive()
    say(EVERYBODY, 1)
    await expect.poll(() => live.totals()).toEqual([1])
    await stack.infrastructure('nats').kill('SIGKILL')
    await expect.poll(() => fetch(`${base}/readyz`).then((one) => one.status), { timeout: 15_000 }).toBe(200)
    await gateway.check()
    say(EVERYBODY, 2)
    await expect.poll(() => live.totals(), { timeout: 15_000 }).toEqual([1, 2])
    expect(live.text()).not.toContain('resync')
  })

  it.each(['nonsense', 'abc-1'])('tells a client at %s to fetch anew, and goes on', async (last) => {
    await using live = await openLive(last)
    await expect.poll(() => live.text()).toContain('event: resync')
    say(EVERYBODY, 7)
    await expect.poll(() => live.totals()).toEqual([7])
  })
})

interface Live extends AsyncDisposable {
  text(): string
  totals(): number[]
  lastId(): string
}

async function openLive(last?: string): Promise<Live> {
  const aborted = new AbortController()
  const response = await fetch(`${base}/api/live`, {
    headers: { cookie: admin, ...(last === undefined ? {} : { 'last-event-id': last }) },
    signal: aborted.signal,
  })
  expect(response.headers.get('content-type')).toContain('text/event-stream')
  let text = ''
  const reading = (async () => {
    for await (const chunk of response.body ?? []) text += new TextDecoder().decode(chunk)
  })().catch(() => {})
  const live = {
    text: () => text,
    totals: () => [...text.matchAll(/^data: \{"total":(\d+)\}$/gm)].map(([, total]) => Number(total)),
    lastId: () => [...text.matchAll(/^id: (.+)$/gm)].at(-1)?.[1] ?? '',
    async [Symbol.asyncDispose]() {
      aborted.abort()
      await reading
    },
  }
  await expect.poll(() => live.lastId()).not.toBe('')
  return live
}
