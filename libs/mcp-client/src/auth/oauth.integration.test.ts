import { describe, expect, it, onTestFinished } from 'vitest'
import {
  type AuthorizationOptions,
  AuthorizationServer,
} from '../../../../test/fixtures/authorization-server.ts'
import { askConsent, redeemConsent } from './authorization.ts'
import { readChallenge } from './challenge.ts'
import type { ClientIdentity } from './client-choice.ts'
import { discover } from './discovery.ts'
import { MemoryGrants } from './memory-grants.ts'
import { AuthSession } from './session.ts'
import { guardedWebFetch } from './web-fetch.ts'

const RESOURCE = '/.well-known/oauth-protected-resource'
const SERVER = '/.well-known/oauth-authorization-server'
const identity: ClientIdentity = { name: 'Althing', redirectUrl: 'http://127.0.0.1:1/api/oauth/callback' }

async function setUp(options: AuthorizationOptions = {}) {
  const server = await AuthorizationServer.open(options)
  const fetch = guardedWebFetch({ loopback: true, private: false })
  onTestFinished(async () => {
    await fetch[Symbol.asyncDispose]()
    await server[Symbol.asyncDispose]()
  })
  const grants = new MemoryGrants()
  const ask = (as: Partial<ClientIdentity> = {}) =>
    askConsent({
      url: new URL(server.url),
      challenge: grants.challenge,
      identity: { ...identity, ...as },
      knownClient: async () => undefined,
      rememberClient: async () => {},
      state: 'state',
      fetch,
    })
  const consent = async () => {
    const { url, pending } = await ask()
    const back = await globalThis.fetch(url, { redirect: 'manual' })
    const answer = new URL(back.headers.get('location') ?? '').searchParams
    return grants.put(await redeemConsent(pending, answer, fetch))
  }
  const find = () => discover(new URL(server.url), grants.challenge, fetch)
  return { server, fetch, grants, ask, consent, find }
}

// @case B53: metadata of sign-in in odd places
describe('finding out who gives access', () => {
  it.each<[string, Record<string, number>, string[]]>([
    ['at the path', { [`${RESOURCE}/mcp`]: 200, [SERVER]: 200 }, [`${RESOURCE}/mcp`, SERVER]],
    ['at the root only', { [RESOURCE]: 200, [SERVER]: 200 }, [`${RESOURCE}/mcp`, RESOURCE, SERVER]],
    [
      'behind a 401 and a 403',
      { [`${RESOURCE}/mcp`]: 401, [RESOURCE]: 403, [SERVER]: 200 },
      [`${RESOURCE}/mcp`, RESOURCE, SERVER],
    ],
  ])('%s', async (_where, metadata, order) => {
    const { server, find } = await setUp({ metadata })
    expect((await find()).server.issuer).toBe(server.origin)
    expect(server.seen).toEqual(order.map((path) => `GET ${path}`))
  })

  it.each([
    ['without quotes', ['bearer realm=x, resource_metadata={base}/.well-known/odd']],
    [
      'as the second challenge of one header',
      ['Basic realm="a, b", Bearer resource_metadata="{base}/.well-known/odd"'],
    ],
    ['in a second header', ['Negotiate', 'BEARER Resource_Metadata = "{base}/.well-known/odd"']],
  ])('where the server says: %s', async (_how, challenges) => {
    const { server, grants, find } = await setUp({
      challenges,
      metadata: { '/.well-known/odd': 200, [SERVER]: 200 },
    })
    const refusal = await globalThis.fetch(server.url)
    await grants.note(readChallenge(refusal.headers.get('www-authenticate'), new URL(server.url)))
    await find()
    expect(server.seen[1]).toBe('GET /.well-known/odd')
  })

  it('says where it looked', async () => {
    const { server, find } = await setUp({ metadata: {} })
    const error = await find().catch((thrown: Error) => thrown)
    expect(error).toMatchObject({ code: 'upstream_error' })
    for (const path of [`${RESOURCE}/mcp`, RESOURCE, SERVER])
      expect((error as Error).message).toContain(`${server.origin}${path} (HTTP 404)`)
  })

  it('tries later what fails now', async () => {
    const { find } = await setUp({ metadata: { [`${RESOURCE}/mcp`]: 503 } })
    await expect(find()).rejects.toMatchObject({ code: 'unavailable', message: /try later/ })
  })

  it.each([
    ['the resource', { resource: 'https://elsewhere.example/mcp' }],
    ['the issuer', { issuer: 'http://localhost:1/' }],
  ])('refuses metadata about another: %s', async (_what, options) => {
    const { server, find } = await setUp(options)
    if ('issuer' in options) server.options = { issuer: server.origin.replace('127.0.0.1', 'localhost') }
    await expect(find()).rejects.toMatchObject({ code: 'protocol_error' })
  })

  // @requirement R47
  it.each(['http://169.254.169.254/', 'http://10.0.0.1/', 'http://167772161/', 'http://[::ffff:10.0.0.1]/'])(
    'does not follow it to %s',
    async (issuer) => {
      const { find } = await setUp({ issuer })
      await expect(find()).rejects.toMatchObject({ code: 'address_not_allowed' })
    },
  )
})

describe('asking for consent', () => {
  it('protects the code and names the resource', async () => {
    const { server, consent } = await setUp()
    await consent()
    expect(Object.fromEntries(server.asked)).toMatchObject({
      code_challenge_method: 'S256',
      resource: server.url,
      state: 'state',
      response_type: 'code',
    })
    expect(server.exchanged.get('resource')).toBe(server.url)
  })

  it('comes as its metadata document where that is taken, else as who it is known', async () => {
    const { ask } = await setUp({ cimd: true })
    const metadataUrl = 'https://althing.example/api/oauth/client'
    expect((await ask({ metadataUrl })).pending.client.client_id).toBe(metadataUrl)
    const arranged = { client_id: 'arranged', client_secret: 'secret' }
    expect((await ask({ metadataUrl, arranged })).pending.client).toEqual(arranged)
    const other = { ...arranged, issuer: 'https://other.example' }
    await expect(ask({ arranged: other })).rejects.toMatchObject({ code: 'invalid_request' })
  })

  it('says what to arrange where nobody is registered', async () => {
    const { ask } = await setUp({ noRegistration: true })
    await expect(ask()).rejects.toMatchObject({ code: 'invalid_request', message: /give oauth\.client_id/ })
  })

  it('takes an answer of its own issuer only', async () => {
    const { server, consent } = await setUp({ iss: 'https://attacker.example' })
    await expect(consent()).rejects.toMatchObject({ code: 'protocol_error' })
    expect(server.seen).not.toContain('POST /token')
  })
})

// @case B55: renewals of one token at the same time
describe('renewing a token', () => {
  // @requirement R46
  it('is done once for five calls in each of two processes', async () => {
    const { server, fetch, grants, consent } = await setUp({ expiresIn: 1 })
    await consent()
    server.expireAccess()
    const processes = [new AuthSession({ store: grants, fetch }), new AuthSession({ store: grants, fetch })]
    const used = await Promise.all(processes.map((session) => session.bearer()))
    server.options = {}
    const tokens = await Promise.all(
      processes.flatMap((session, index) =>
        Array.from({ length: 5 }, () => session.refused(used[index], {})),
      ),
    )
    expect(new Set(tokens.map((bearer) => bearer?.token)).size).toBe(1)
    expect(server.reused).toBe(0)
    expect((await globalThis.fetch(server.url, withToken(tokens[0]?.token))).status).toBe(405)
  })

  it('keeps what was asked for, in case the new token is refused too', async () => {
    const { fetch, grants, consent } = await setUp()
    await consent()
    const session = new AuthSession({ store: grants, fetch })
    await grants.note({ scope: 'write' })
    const resourceMetadata = 'http://127.0.0.1:1/moved'
    expect(await session.refused(await session.bearer(), { resourceMetadata })).toBeDefined()
    expect(grants.challenge).toEqual({ scope: 'write', resourceMetadata })
  })

  it.each([0, null])('waits for a refusal when its life is said to be %s', async (expiresIn) => {
    const { server, fetch, grants, consent } = await setUp({ expiresIn })
    await consent()
    const session = new AuthSession({ store: grants, fetch })
    const first = await session.bearer()
    await session.bearer()
    expect(server.refreshes).toBe(0)
    expect((await session.refused(first, {}))?.token).not.toBe(first?.token)
    expect(server.refreshes).toBe(1)
  })

  it('comes before the end of its life, by any clock', async () => {
    const { server, fetch, grants, consent } = await setUp({ expiresIn: 100 })
    await consent()
    let now = 0
    const session = new AuthSession({ store: grants, fetch, monotonic: () => now })
    const first = await session.bearer()
    now = 80_000
    expect(await session.bearer()).toEqual(first)
    now = 95_000
    expect(await session.bearer()).not.toEqual(first)
    expect(server.refreshes).toBe(1)
  })

  it('tells of every token before it is used, to be masked', async () => {
    const { server, fetch, grants, consent } = await setUp()
    await consent()
    const told: string[] = []
    const session = new AuthSession({ store: grants, fetch, onSecret: (secret) => told.push(secret) })
    await session.refused(await session.bearer(), {})
    const [, ...tokens] = server.secrets
    expect(told.toSorted()).toEqual(tokens.toSorted())
  })

  it('forgets what was refused and nothing newer', async () => {
    const { server, fetch, grants, consent } = await setUp()
    const old = await consent()
    server.revokeAll()
    const newer = await consent()
    await grants.drop(old.version)
    expect((await grants.read())?.version).toBe(newer.version)
    server.revokeAll()
    const session = new AuthSession({ store: grants, fetch })
    expect(await session.refused(await session.bearer(), { scope: 'more' })).toBeUndefined()
    expect(await grants.read()).toBeUndefined()
    expect(grants.challenge).toEqual({ scope: 'more' })
  })

  it('keeps a token that is good while the authorization server is away', async () => {
    const { server, fetch, grants, consent } = await setUp({ expiresIn: 100 })
    await consent()
    let now = 0
    const session = new AuthSession({ store: grants, fetch, monotonic: () => now })
    const first = await session.bearer()
    await server[Symbol.asyncDispose]()
    now = 95_000
    expect(await session.bearer()).toEqual(first)
    now = 101_000
    await expect(session.bearer()).rejects.toMatchObject({ code: 'start_failed' })
  })
})

function withToken(token: string | undefined): RequestInit {
  return { headers: { authorization: `Bearer ${token}` } }
}

describe('a scope too few', () => {
  it('is asked for once; what was given already is a dead end', async () => {
    const { fetch, grants, consent } = await setUp()
    await grants.note({ scope: 'read' })
    await consent()
    const session = new AuthSession({ store: grants, fetch })
    const used = await session.bearer()
    expect(await session.lacksScope(used, { scope: 'write' })).toMatchObject({ code: 'needs_auth' })
    expect(await session.lacksScope(used, { scope: 'read' })).toMatchObject({ code: 'upstream_error' })
    expect(grants.challenge).toEqual({ scope: 'write' })
  })
})
