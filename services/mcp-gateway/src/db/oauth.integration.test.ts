import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Stack, startStack } from '@althing/local-stack/stack'
import { askConsent, redeemConsent } from '@althing/mcp-client/auth/authorization'
import { AuthSession } from '@althing/mcp-client/auth/session'
import { guardedWebFetch } from '@althing/mcp-client/auth/web-fetch'
import { openDatabase } from '@althing/runtime/db'
import { Envelope } from '@althing/runtime/envelope'
import { openLog } from '@althing/runtime/log'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AuthorizationServer } from '../../../../test/fixtures/authorization-server.ts'
import { resealInBackground } from '../secrets/reseal.ts'
import { DbClients, DbGrants, type Place } from './oauth.ts'
import type { GatewayDb, GatewayTables } from './tables.ts'

const cleanup = new AsyncDisposableStack()
const [key, newKey] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')]
const envelope = new Envelope(key)
const fetch = cleanup.use(guardedWebFetch({ loopback: true, private: false }))
let stack: Stack

beforeAll(async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'althing-oauth-'))
  cleanup.defer(() => rm(dataDir, { recursive: true, force: true }))
  stack = cleanup.use(await startStack({ dataDir, durable: false, services: {}, say: () => {} }))
})
afterAll(() => cleanup.disposeAsync())

/** The database as one more replica sees it. */
function replica(): GatewayDb {
  const log = openLog('test', 'test', 'error')
  const db = openDatabase<GatewayTables>({ url: stack.adminDatabaseUrl(), schema: 'gateway', log })
  cleanup.defer(() => db.destroy())
  return db
}

async function consented(
  db: GatewayDb,
  guard: AuthorizationServer,
): Promise<{ place: Place; grants: DbGrants }> {
  const place = { serverId: randomUUID(), principal: 'shared', url: guard.url }
  await db
    .insertInto('servers')
    .values({
      id: place.serverId,
      name: `guarded-${place.serverId.slice(0, 8)}`,
      owner: 'ada',
      owner_role: 'admin',
      scope: 'personal',
      identity: 'one-for-all',
      enabled: true,
      generation: 1,
      transport: 'http',
      url: guard.url,
      tool_problems: '[]',
    })
    .execute()
  const grants = new DbGrants(db, envelope, place)
  const { url, pending } = await askConsent({
    url: new URL(guard.url),
    challenge: {},
    identity: { name: 'Althing', redirectUrl: 'http://127.0.0.1:1/callback' },
    knownClient: async () => undefined,
    rememberClient: async () => {},
    state: 'state',
    fetch,
  })
  const back = await globalThis.fetch(url, { redirect: 'manual' })
  const answer = new URL(back.headers.get('location') ?? '').searchParams
  await grants.put(await redeemConsent(pending, answer, fetch))
  return { place, grants }
}

describe('the grants in the database', () => {
  // @requirement R46
  it('are renewed once by two replicas that need it at the same time', async () => {
    await using guard = await AuthorizationServer.open()
    const { place } = await consented(replica(), guard)
    const sessions = [replica(), replica()].map(
      (db) => new AuthSession({ store: new DbGrants(db, envelope, place), fetch }),
    )
    const used = await sessions[0]?.bearer()
    guard.expireAccess()
    const five = (session: AuthSession) => Array.from({ length: 5 }, () => session.refused(used, {}))
    const tokens = await Promise.all(sessions.flatMap(five))
    expect(new Set(tokens.map((bearer) => bearer?.token)).size).toBe(1)
    expect(tokens[0]?.token).not.toBe(used?.token)
    expect([guard.refreshes, guard.reused]).toEqual([1, 0])
  })

  it('are replaced and dropped by the version that was read, and by no older one', async () => {
    await using guard = await AuthorizationServer.open()
    const { grants } = await consented(replica(), guard)
    const old = await grants.read()
    if (old === undefined) throw new Error('no grant')
    const { version, ageMs, ...content } = old
    expect(ageMs).toBeGreaterThanOrEqual(0)
    const newer = await grants.renew(version, { ...content, accessToken: 'newer' })
    expect(await grants.renew(version, content)).toBeUndefined()
    await grants.drop(version)
    expect(await grants.read()).toMatchObject({ version: newer?.version, accessToken: 'newer' })
  })

  it('can be claimed again when whoever claimed them is gone', async () => {
    await using guard = await AuthorizationServer.open()
    const { grants } = await consented(replica(), guard)
    const { version = '' } = (await grants.read()) ?? {}
    expect(await grants.claimRenewal(version, 30_000)).toBe(true)
    expect(await grants.claimRenewal(version, 30_000)).toBe(false)
    await grants.endClaim(version)
    expect(await grants.claimRenewal(version, 0)).toBe(true)
    expect(await grants.claimRenewal(version, 0)).toBe(true)
  })

  it('open at their own place only', async () => {
    await using guard = await AuthorizationServer.open()
    const db = replica()
    const { place } = await consented(db, guard)
    const moved = new DbGrants(db, envelope, { ...place, url: 'https://elsewhere.example/' })
    expect(await moved.read()).toBeUndefined()
    await db
      .updateTable('oauth_grants')
      .set({ principal: 'mallory' })
      .where('server_id', '=', place.serverId)
      .execute()
    const stolen = new DbGrants(db, envelope, { ...place, principal: 'mallory' })
    await expect(stolen.read()).rejects.toThrow()
  })

  it('are taken over by a new master key', async () => {
    await using guard = await AuthorizationServer.open()
    const db = replica()
    const { place, grants } = await consented(db, guard)
    await new DbClients(db, envelope, place).put('https://one.example', { client_id: 'one' })
    const anew = new Envelope(newKey)
    await expect(new DbGrants(db, anew, place).read()).rejects.toMatchObject({ code: 'secret_unreadable' })
    await using _work = resealInBackground(db, new Envelope(newKey, [key]), openLog('test', 'test', 'error'))
    const read = () => new DbGrants(db, anew, place).read().catch(() => undefined)
    await expect.poll(read).toBeDefined()
    const client = () => new DbClients(db, anew, place).find('https://one.example').catch(() => undefined)
    await expect.poll(client).toEqual({ client_id: 'one' })
    await expect(grants.read()).rejects.toMatchObject({ code: 'secret_unreadable' })
  })

  it('keep clients apart by issuer', async () => {
    await using guard = await AuthorizationServer.open()
    const db = replica()
    const { place } = await consented(db, guard)
    const clients = new DbClients(db, envelope, place)
    await clients.put('https://one.example', { client_id: 'one' })
    await clients.put('https://one.example', { client_id: 'one again' })
    expect(await clients.find('https://one.example')).toEqual({ client_id: 'one again' })
    expect(await clients.find('https://two.example')).toBeUndefined()
  })
})
