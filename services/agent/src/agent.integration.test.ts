import { randomUUIDv7 } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type Stack, startStack } from '@althing/local-stack/stack'
import * as contracts from '@althing/protocol/bus/agent'
import * as unattended from '@althing/protocol/bus/agent-unattended'
import { listServers } from '@althing/protocol/bus/gateway'
import type { Session } from '@althing/protocol/model/session'
import { Bus } from '@althing/runtime/bus/bus'
import { readConfig, ServiceConfig } from '@althing/runtime/config'
import { jsonb, openDatabase } from '@althing/runtime/db'
import { openLog } from '@althing/runtime/log'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { AgentConfig } from './config.ts'
import type { AgentDb, AgentTables, MessageRow } from './db/tables.ts'
import { SCRIPTED_ID } from './llm/models.ts'
import { createAgent } from './service.ts'

type MessageStatus = MessageRow['status']

const ada = { user: 'ada', role: 'admin' as const }
const bob = { user: 'bob', role: 'member' as const }
const log = openLog('test', 'test', 'fatal')
let folder: string
let stack: Stack
let web: Bus
let db: AgentDb

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'althing-agent-'))
  const services = { 'mcp-gateway': 1 }
  stack = await startStack({ dataDir: folder, durable: false, services, say: () => {} })
  web = await Bus.open('web', 'test-web', readConfig(ServiceConfig, await stack.envOf('web')), log)
  await eventually('the gateway serves', () => web.call(listServers, { actor: ada }).then(() => true))
  const config = await agentConfig()
  const password = config.DATABASE_PASSWORD?.reveal()
  db = openDatabase<AgentTables>({
    url: config.DATABASE_URL,
    ...(password === undefined ? {} : { password }),
    schema: 'agent',
    log,
  })
})
afterAll(async () => {
  await web?.[Symbol.asyncDispose]()
  await db?.destroy()
  await stack?.[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

async function agentConfig(): Promise<AgentConfig> {
  const env = { ...(await stack.envOf('agent')), HEALTH_PORT: '0', LOG_LEVEL: 'error' }
  return readConfig(AgentConfig, env)
}

/** An agent whose default model is the scripted demo. */
async function scriptedAgent(): Promise<AsyncDisposable> {
  const agent = await createAgent(await agentConfig())
  await web.call(contracts.setDefaultModel, { actor: ada, model: SCRIPTED_ID })
  return agent
}

const open = async () => (await web.call(contracts.createSession, { actor: ada, agent: 'main' })).id
const say = (session: string, content: string) =>
  web.call(contracts.sendMessage, { actor: ada, session, content })
const read = (session: string) => web.call(contracts.getSession, { actor: ada, session })

async function eventually<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
  const deadline = performance.now() + 20_000
  for (;;) {
    const found = await look().catch(() => undefined)
    if (found !== undefined) return found
    if (performance.now() > deadline) throw new Error(`not in time: ${what}`)
    await wait(20)
  }
}

const until = (session: string, what: string, condition: (now: Session) => boolean): Promise<Session> =>
  eventually(what, async () => {
    const now = await read(session)
    return condition(now) ? now : undefined
  })

/** What a worker that died leaves behind, at once: a turn under a lease that ended, with all that was open in it. */
async function abandon(
  session: string,
  open: { readonly stopRequested: boolean; readonly waiting?: string },
): Promise<void> {
  const turn = randomUUIDv7()
  const asked = randomUUIDv7()
  const of = { session_id: session, turn_id: turn }
  const call = { message_id: asked, arguments: jsonb({}), status: 'running' as const }
  await db.transaction().execute(async (trx) => {
    await trx
      .insertInto('turns')
      .values({
        id: turn,
        session_id: session,
        state: 'running',
        worker: 'dead',
        lease_until: new Date(0),
        stop_requested: open.stopRequested,
      })
      .execute()
    const add = (row: { id?: string; role: 'user' | 'assistant'; content: string; status: MessageStatus }) =>
      trx
        .insertInto('messages')
        .values({ id: randomUUIDv7(), ...of, ...row })
        .execute()
    await add({ role: 'user', content: 'go', status: 'done' })
    await add({ id: asked, role: 'assistant', content: 'calling', status: 'done' })
    await trx
      .insertInto('tool_calls')
      .values({
        ...call,
        id: randomUUIDv7(),
        position: 0,
        provider_call_id: 'c0',
        name: 'mcp__gone__write',
        repeatable: false,
      })
      .execute()
    await add({ role: 'assistant', content: 'half a sen', status: 'streaming' })
    if (open.waiting !== undefined) await add({ role: 'user', content: open.waiting, status: 'queued' })
  })
}

it('refuses a message while no model is connected, and says how to connect one', async () => {
  await using _agent = await createAgent(await agentConfig())
  const refused = say(await open(), 'hello')
  await expect(refused).rejects.toMatchObject({ code: 'no_model' })
  for (const words of [
    /ALTHING_MODEL_PROVIDER/,
    /ALTHING_MODEL_BASE_URL/,
    /ALTHING_MODEL_API_KEY/,
    /scripted/,
  ])
    await expect(refused).rejects.toThrow(words)
})

it('answers a message', async () => {
  await using _agent = await scriptedAgent()
  const session = await open()
  await say(session, 'hello\nthere')
  const { messages, title } = await until(session, 'it is answered', (now) => now.state === 'idle')
  expect(title).toBe('hello')
  expect(messages.map(({ role, status }) => [role, status])).toEqual([
    ['user', 'done'],
    ['assistant', 'done'],
  ])
  expect(messages[1]?.content).toContain('I am a script')
})

it('keeps the text so far of an answer that is stopped', async () => {
  await using _agent = await scriptedAgent()
  const session = await open()
  await say(session, 'hello')
  await until(session, 'it speaks', ({ messages }) => (messages[1]?.content ?? '') !== '')
  expect(await web.call(contracts.stopTurn, { actor: ada, session })).toEqual({ stopped: true })
  const { messages } = await until(session, 'it is idle', (now) => now.state === 'idle')
  expect(messages[1]).toMatchObject({ status: 'stopped', content: expect.stringMatching(/^I am a script/) })
})

it('knows nothing of the chat of another person', async () => {
  await using _agent = await scriptedAgent()
  const foreign = { actor: bob, session: await open() }
  const refused = { code: 'session_not_found' }
  await expect(web.call(contracts.getSession, foreign)).rejects.toMatchObject(refused)
  await expect(web.call(contracts.sendMessage, { ...foreign, content: 'x' })).rejects.toMatchObject(refused)
  await expect(web.call(contracts.stopTurn, foreign)).rejects.toMatchObject(refused)
  await expect(web.call(contracts.revokeGrant, { ...foreign, group: 'x' })).rejects.toMatchObject(refused)
  await expect(web.call(contracts.deleteSession, foreign)).rejects.toMatchObject(refused)
})

it('takes over a turn whose lease ended, and never sends again what may have run', async () => {
  await using _agent = await scriptedAgent()
  const session = await open()
  await abandon(session, { stopRequested: false })
  const { messages } = await until(session, 'it is taken over', (now) => now.state === 'idle')
  expect(messages.map(({ role, status }) => [role, status])).toEqual([
    ['user', 'done'],
    ['assistant', 'done'],
    ['assistant', 'stopped'],
    ['assistant', 'done'],
  ])
  expect(messages[1]?.tool_calls[0]?.status).toBe('unknown')
  expect(messages[2]?.content).toBe('half a sen')
})

it('answers what was said in a turn that was stopped, in a turn of its own', async () => {
  await using _agent = await scriptedAgent()
  const session = await open()
  await abandon(session, { stopRequested: true, waiting: 'and now?' })
  const { messages } = await until(
    session,
    'it is answered',
    (now) => now.state === 'idle' && now.messages.length === 5,
  )
  expect(messages[1]?.tool_calls[0]?.status).toBe('unknown')
  expect(messages[3]).toMatchObject({ content: 'and now?', status: 'done' })
  expect(messages[4]).toMatchObject({ role: 'assistant', status: 'done' })
})

it('starts an unattended turn once for a run, and tells how it went', async () => {
  await using _agent = await scriptedAgent()
  const tic = await Bus.open(
    'tic-worker',
    'test-tic',
    readConfig(ServiceConfig, await stack.envOf('tic-worker')),
    log,
  )
  await using _tic = tic
  const run = randomUUIDv7()
  const input = {
    actor: ada,
    schedule_id: randomUUIDv7(),
    run_id: run,
    agent: 'main',
    prompt: 'hello',
    title: 'Daily',
  }
  const start = () => tic.call(unattended.startUnattendedTurn, input)
  const [first, second] = await Promise.all([start(), start()])
  expect(second).toEqual(first)
  expect(await start()).toEqual(first)
  const session = await until(first.session_id, 'it is answered', (now) => now.state === 'idle')
  expect(session).toMatchObject({ title: 'Daily', messages: [{ content: 'hello' }, { status: 'done' }] })
  const asked = [{ user: 'ada', turn_id: run }]
  expect(await tic.call(unattended.listUnattendedTurns, { turns: asked })).toEqual({
    turns: [{ turn_id: run, state: 'done' }],
  })
  const foreign = [{ user: 'bob', turn_id: run }]
  expect(await tic.call(unattended.listUnattendedTurns, { turns: foreign })).toEqual({ turns: [] })
  await expect(tic.call(unattended.startUnattendedTurn, { ...input, actor: bob })).rejects.toMatchObject({
    code: 'conflict',
  })
})
