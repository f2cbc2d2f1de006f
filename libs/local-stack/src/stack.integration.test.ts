import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as gateway from '@althing/protocol/bus/gateway'
import * as tic from '@althing/protocol/bus/tic'
import type { ServiceName } from '@althing/protocol/define'
import { connect, type NatsConnection } from '@nats-io/transport-node'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MIGRATIONS } from '../../../migrations/list.ts'
import { migrate } from '../../../migrations/migrate.ts'
import { type Stack, startStack } from './stack.ts'

let folder: string
let stack: Stack

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'althing-stack-'))
  stack = await startStack({ dataDir: folder, durable: true, services: {}, say: () => {} })
})
afterAll(async () => {
  await stack?.[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

async function as(service: ServiceName): Promise<NatsConnection & AsyncDisposable> {
  const nats = await connect({
    servers: stack.natsUrl,
    user: service,
    pass: stack.keys.nats[service],
    inboxPrefix: `_INBOX_${service}`,
  })
  return Object.assign(nats, { [Symbol.asyncDispose]: () => nats.close() })
}

/** The server's word about the next thing that it refuses this connection. */
async function refusal(nats: NatsConnection, act: () => void): Promise<string> {
  const status = nats.status()[Symbol.asyncIterator]()
  act()
  for (;;) {
    const { value } = await status.next()
    if (value?.type === 'error') return value.error.message
  }
}

// @requirement R14
describe('the bus', () => {
  it('refuses a service that publishes outside its contracts', async () => {
    await using web = await as('web')
    const subject = gateway.serverNotified.subject.at({ server: 'x' })
    expect(await refusal(web, () => web.publish(subject, '{}'))).toMatch(/Permissions Violation for Publish/i)
  })

  it("refuses a service that listens in another's inbox", async () => {
    await using agent = await as('agent')
    expect(await refusal(agent, () => agent.subscribe('_INBOX_web.>', { callback: () => {} }))).toMatch(
      /Permissions Violation for Subscription/i,
    )
  })

  it('refuses a caller that serves what it only calls', async () => {
    await using web = await as('web')
    const { wildcard } = tic.listEvents.subject
    expect(await refusal(web, () => web.subscribe(wildcard, { callback: () => {} }))).toMatch(
      /Permissions Violation/i,
    )
  })

  it('lets contracts through', async () => {
    await using owner = await as('tic-worker')
    await using web = await as('web')
    owner.subscribe(tic.listEvents.subject.wildcard, {
      callback: (_error, message) => void message.respond('yes'),
    })
    await owner.flush()
    expect((await web.request(tic.listEvents.subject.template, '')).string()).toBe('yes')
  })

  it('refuses who has no credentials', async () => {
    await expect(connect({ servers: stack.natsUrl, reconnect: false })).rejects.toThrow(/authorization/i)
  })

  it('acknowledges after fsync', async () => {
    expect(await readFile(join(folder, 'nats', 'nats.conf'), 'utf8')).toContain('sync_interval: always')
  })
})

describe('the database', () => {
  it("gives a service's role nothing of another schema", async () => {
    const env = await stack.envOf('agent')
    const { hostname: host, port, pathname, username: user } = new URL(env.DATABASE_URL ?? '')
    const database = pathname.slice(1)
    const client = new pg.Client({
      host,
      port: Number(port),
      user,
      database,
      password: env.DATABASE_PASSWORD,
    })
    await client.connect()
    try {
      await expect(client.query('select * from gateway.servers')).rejects.toThrow(
        /permission denied for schema gateway/,
      )
      await expect(client.query('create table agent.mine (a int)')).rejects.toThrow(/permission denied/)
      expect((await client.query('select count(*) from agent.sessions')).rowCount).toBe(1)
    } finally {
      await client.end()
    }
  })

  it('is migrated once by two runs at the same time', async () => {
    const admin = new pg.Client({ connectionString: stack.adminDatabaseUrl() })
    await admin.connect()
    await admin.query('create database twice')
    await admin.end()
    const url = stack.adminDatabaseUrl().replace(/\/[^/]+$/, '/twice')
    const { database } = stack.keys
    const passwords = {
      gateway: database['mcp-gateway'],
      agent: database.agent,
      tic: database['tic-worker'],
      web: database.web,
    }
    const [one, two] = await Promise.all([migrate(url, passwords), migrate(url, passwords)])
    expect([one.length, two.length].sort()).toEqual([0, Object.keys(MIGRATIONS).length])
  })
})
