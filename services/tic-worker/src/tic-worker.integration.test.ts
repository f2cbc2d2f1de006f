import { randomUUIDv7 } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type Stack, startStack } from '@althing/local-stack/stack'
import { runTriage } from '@althing/protocol/bus/agent'
import { serverNotified } from '@althing/protocol/bus/gateway'
import { listBatches, listBriefings, listEvents, runBatch } from '@althing/protocol/bus/tic'
import { AppError } from '@althing/protocol/errors'
import type { TriageAnswer } from '@althing/protocol/model/briefing'
import type { ServerEvent } from '@althing/protocol/model/event'
import { Bus } from '@althing/runtime/bus/bus'
import { encode } from '@althing/runtime/bus/frames'
import { readConfig, ServiceConfig } from '@althing/runtime/config'
import { openLog } from '@althing/runtime/log'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { until } from '../../../test/harness/until.ts'
import { TicConfig } from './config.ts'
import { createTicWorker } from './service.ts'

const SERVER = randomUUIDv7()
const log = openLog('test', 'test', 'fatal')
let folder: string
let stack: Stack
let gateway: Bus
let agent: Bus
let web: Bus
let asked: string[][]
let atOnce: number
let mostAtOnce: number
let judge: (events: readonly ServerEvent[], signal: AbortSignal) => Promise<TriageAnswer>

/** Scripted triage: it stands where the model side of the agent is, on the real bus. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'althing-tic-'))
  stack = await startStack({ dataDir: folder, durable: false, services: {}, say: () => {} })
  const open = async (service: 'mcp-gateway' | 'agent' | 'web') =>
    Bus.open(service, `test-${service}`, readConfig(ServiceConfig, await stack.envOf(service)), log)
  ;[gateway, agent, web] = await Promise.all([open('mcp-gateway'), open('agent'), open('web')])
  reset()
  agent.serveStream(runTriage, null, async ({ events }, { signal }) => {
    asked.push(events.map((event) => event.id))
    mostAtOnce = Math.max(mostAtOnce, ++atOnce)
    try {
      return encode(await judge(events, signal))
    } finally {
      atOnce--
    }
  })
})
afterAll(async () => {
  for (const bus of [gateway, agent, web]) await bus?.[Symbol.asyncDispose]()
  await stack?.[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

function reset(): void {
  asked = []
  atOnce = 0
  mostAtOnce = 0
  judge = async (events) => ({
    briefings: [
      {
        source: 's',
        type: 't',
        summary: `${events.length} events.`,
        refs: [],
        urgency: 'normal',
        event_ids: events.map((event) => event.id),
      },
    ],
    verdicts: events.map((event) => ({ event_id: event.id, verdict: 'notify', reason: 'news' })),
  })
}

async function worker(more: Record<string, string> = {}): Promise<AsyncDisposable> {
  const env = {
    ...(await stack.envOf('tic-worker')),
    HEALTH_PORT: '0',
    LOG_LEVEL: 'error',
    ALTHING_TIC_INTERVAL_SECS: '0.2',
    ALTHING_TIC_LOOK_MS: '50',
    ALTHING_TIC_RETRY_FIRST_MS: '20',
    ALTHING_TIC_RETRY_LONGEST_MS: '50',
    ...more,
  }
  return createTicWorker(readConfig(TicConfig, env))
}

function event(owner: string, payload: unknown = {}): ServerEvent {
  return {
    id: randomUUIDv7(),
    server_id: SERVER,
    server: 's',
    owner,
    method: 'event/x',
    payload,
    received_at: new Date().toISOString(),
  }
}

async function push(events: ServerEvent[], size = 20): Promise<void> {
  for (let from = 0; from < events.length; from += size) {
    const batch = events.slice(from, from + size)
    await gateway.store(serverNotified, { server: SERVER }, { events: batch }, batch[0]?.id ?? '')
  }
}

const actor = (user: string) => ({ user, role: 'member' as const })
const page = { limit: 500 }
const events = async (user: string) => (await web.call(listEvents, { actor: actor(user), page })).events
const briefings = async (user: string) =>
  (await web.call(listBriefings, { actor: actor(user), page, open: false })).briefings

const allIn = (user: string, count: number, states: readonly string[]) => async () => {
  const all = await events(user)
  return all.length === count && all.every((one) => states.includes(one.state))
}

it('settles 300 events of many messages, none twice, with the expected briefings', async () => {
  reset()
  await using _one = await worker()
  const all = Array.from({ length: 300 }, () => event('many'))
  await push(all)
  await push(all.slice(0, 20))
  await until('all are settled', allIn('many', 300, ['settled']))
  expect(asked.flat().sort()).toEqual(all.map((one) => one.id).sort())
  expect((await briefings('many')).flatMap((one) => one.event_ids).sort()).toEqual(
    all.map((one) => one.id).sort(),
  )
})

it('never runs two batches of one person at once, whoever works', async () => {
  reset()
  const plain = judge
  judge = async (list, signal) => {
    await wait(150)
    return plain(list, signal)
  }
  await using _one = await worker()
  await using _two = await worker()
  await push(Array.from({ length: 120 }, () => event('busy')))
  await until('all are settled', allIn('busy', 120, ['settled']))
  expect(mostAtOnce).toBe(1)
})

it('isolates an event that the agent fails on, and settles the others', async () => {
  reset()
  const plain = judge
  judge = async (list, signal) => {
    if (list.some((one) => (one.payload as { poison?: boolean }).poison))
      throw new AppError('model_error', 'cannot')
    return plain(list, signal)
  }
  await using _one = await worker()
  const poison = event('unlucky', { poison: true })
  await push([poison, ...Array.from({ length: 12 }, () => event('unlucky'))])
  await until('all came to rest', allIn('unlucky', 13, ['settled', 'dead']))
  const dead = (await events('unlucky')).filter((one) => one.state === 'dead')
  expect(dead.map((one) => one.id)).toEqual([poison.id])
  expect(dead[0]?.reason).toContain('cannot')
})

it('loses nothing while no model is connected', async () => {
  reset()
  const plain = judge
  judge = async () => {
    throw new AppError('no_model', 'none')
  }
  await using _one = await worker()
  await push([event('patient')])
  await until(
    'it was tried',
    async () => (await web.call(listBatches, { actor: actor('patient'), page })).batches.length > 2,
  )
  judge = plain
  await until('it is settled', allIn('patient', 1, ['settled']))
})

it('goes on where a worker died between claim and settle, without a second briefing', async () => {
  reset()
  const plain = judge
  const claimed = Promise.withResolvers<void>()
  judge = (_list, signal) => {
    claimed.resolve()
    return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  }
  const first = await worker({ ALTHING_TIC_LEASE_MS: '500' })
  await push([event('heir')])
  await claimed.promise
  judge = plain
  await using _second = await worker({ ALTHING_TIC_LEASE_MS: '500' })
  await first[Symbol.asyncDispose]()
  await until('it is settled', allIn('heir', 1, ['settled']))
  expect(await briefings('heir')).toHaveLength(1)
})

it('asks nobody anything for whom nothing is pending', async () => {
  reset()
  await using _one = await worker()
  expect(await web.call(runBatch, { actor: actor('many') })).toEqual({})
  const only = event('other')
  await push([only])
  await until('the other is settled', allIn('other', 1, ['settled']))
  expect(asked).toEqual([[only.id]])
})

it('stores what Postgres refuses, with a visible substitute', async () => {
  reset()
  await using _one = await worker()
  await push([event('odd', { text: 'a\0b', 'k\0': '\ud83d alone', literal: '\\u0000' })])
  await until('it is settled', allIn('odd', 1, ['settled']))
  const [stored] = await events('odd')
  expect(stored?.payload).toEqual({ text: 'a\uFFFDb', 'k\uFFFD': '\uFFFD alone', literal: '\\u0000' })
})
