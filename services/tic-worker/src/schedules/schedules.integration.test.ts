import { randomUUIDv7 } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Stack, startStack } from '@althing/local-stack/stack'
import * as agentContracts from '@althing/protocol/bus/agent-unattended'
import * as contracts from '@althing/protocol/bus/tic-schedules'
import { AppError } from '@althing/protocol/errors'
import type { Schedule, ScheduleDraft, ScheduleRun } from '@althing/protocol/model/schedule'
import { Bus } from '@althing/runtime/bus/bus'
import { ManualClock } from '@althing/runtime/clock'
import { readConfig, ServiceConfig } from '@althing/runtime/config'
import { openLog } from '@althing/runtime/log'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { until } from '../../../../test/harness/until.ts'
import { TicConfig } from '../config.ts'
import { createTicWorker } from '../service.ts'

const log = openLog('test', 'test', 'fatal')
const page = { limit: 100 }
let folder: string
let stack: Stack
let web: Bus
let agent: Bus
/** What the agent was asked to run, and how it answers. */
let asked: string[]
let turns: Map<string, { state: 'running' | 'done' | 'failed'; error?: string }>
let fault: AppError | undefined

/** A script stands where the agent is, on the real bus. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'althing-schedules-'))
  stack = await startStack({ dataDir: folder, durable: false, services: {}, say: () => {} })
  const open = async (service: 'agent' | 'web') =>
    Bus.open(service, `test-${service}`, readConfig(ServiceConfig, await stack.envOf(service)), log)
  ;[agent, web] = await Promise.all([open('agent'), open('web')])
  agent.serve(agentContracts.startUnattendedTurn, async ({ run_id }) => {
    asked.push(run_id)
    if (fault) throw fault
    turns.set(run_id, { state: 'running' })
    return { session_id: randomUUIDv7(), turn_id: run_id }
  })
  agent.serve(agentContracts.listUnattendedTurns, async (input) => ({
    turns: input.turns.flatMap(({ turn_id }) => {
      const turn = turns.get(turn_id)
      return turn === undefined ? [] : [{ turn_id, ...turn }]
    }),
  }))
})
afterAll(async () => {
  for (const bus of [agent, web]) await bus?.[Symbol.asyncDispose]()
  await stack?.[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})
beforeEach(() => {
  asked = []
  turns = new Map()
  fault = undefined
})

async function worker(clock: ManualClock): Promise<AsyncDisposable> {
  const env = { ...(await stack.envOf('tic-worker')), HEALTH_PORT: '0', LOG_LEVEL: 'error' }
  return createTicWorker(readConfig(TicConfig, { ...env, ALTHING_TIC_LOOK_MS: '1000' }), { clock })
}

const actor = (user: string) => ({ user, role: 'member' as const })
const draft = (more: Partial<ScheduleDraft> = {}): ScheduleDraft => ({
  name: 'morning',
  cron: '0 9 * * *',
  time_zone: 'UTC',
  prompt: 'What is new?',
  agent: 'main',
  enabled: true,
  missed: 'skip',
  ...more,
})
const create = (user: string, more: Partial<ScheduleDraft> = {}): Promise<Schedule> =>
  web.call(contracts.createSchedule, { actor: actor(user), draft: draft(more) })
const runs = async (user: string, schedule: string): Promise<ScheduleRun[]> =>
  (await web.call(contracts.listScheduleRuns, { actor: actor(user), schedule, page })).runs

/** Lets workers look until something is there; time goes on by a second each look. */
async function seen<T>(what: string, clocks: ManualClock[], look: () => Promise<T | undefined | false>) {
  return until(what, async () => {
    for (const clock of clocks) clock.advance(1000)
    return look()
  })
}

// @requirement R77
it('fires once over two workers, and tells of the outcome', async () => {
  const start = Date.parse('2026-05-01T08:59:30Z')
  const clocks = [new ManualClock(start), new ManualClock(start)]
  await using _one = await worker(clocks[0] as ManualClock)
  await using _two = await worker(clocks[1] as ManualClock)
  const { id, next_runs } = await create('twice')
  expect(next_runs).toHaveLength(5)
  const run = await seen('it runs', clocks, async () => (await runs('twice', id))[0])
  await seen('it is running', clocks, async () => (await runs('twice', id))[0]?.state === 'running')
  expect(asked).toEqual([run.id])
  turns.set(run.id, { state: 'failed', error: 'no such tool' })
  await seen('it ended', clocks, async () => (await runs('twice', id))[0]?.state === 'failed')
  expect(await runs('twice', id)).toEqual([
    expect.objectContaining({ reason: 'due', error: 'no such tool', due_at: '2026-05-01T09:00:00.000Z' }),
  ])
  expect(asked).toHaveLength(1)
})

it.each(['skip', 'run_once'] as const)('treats what was missed as %s says', async (missed) => {
  const user = `away-${missed}`
  const before = new ManualClock(Date.parse('2026-05-01T08:00:00Z'))
  const first = await worker(before)
  const { id } = await create(user, { missed })
  await first[Symbol.asyncDispose]()
  const after = new ManualClock(Date.parse('2026-05-04T12:00:00Z'))
  await using _second = await worker(after)
  const [run] = await seen('it is written', [after], async () => {
    const all = await runs(user, id)
    return all[0] && all[0].state !== 'waiting' ? all : undefined
  })
  expect(run).toMatchObject({
    reason: 'missed',
    state: missed === 'skip' ? 'skipped' : 'running',
    due_at: '2026-05-04T09:00:00.000Z',
  })
  expect(await runs(user, id)).toHaveLength(1)
  expect(asked).toHaveLength(missed === 'skip' ? 0 : 1)
  const { schedules } = await web.call(contracts.listSchedules, { actor: actor(user) })
  expect(schedules[0]?.next_runs[0]).toBe('2026-05-05T09:00:00.000Z')
})

it('keeps the time of day over a change of daylight saving, and a doubled hour once', async () => {
  const clock = new ManualClock(Date.parse('2026-10-25T00:29:50Z'))
  await using _worker = await worker(clock)
  const { id } = await create('berlin', { cron: '30 2 * * *', time_zone: 'Europe/Berlin' })
  const [first] = await seen('the first half past two', [clock], async () => {
    const all = await runs('berlin', id)
    return all[0]?.state === 'running' ? all : undefined
  })
  turns.set(first?.id ?? '', { state: 'done' })
  await seen('it is done', [clock], async () => (await runs('berlin', id))[0]?.state === 'done')
  clock.advance(3_600_000)
  for (let look = 0; look < 20; look++) clock.advance(1000)
  const { schedules } = await web.call(contracts.listSchedules, { actor: actor('berlin') })
  expect(schedules[0]?.next_runs[0]).toBe('2026-10-26T01:30:00.000Z')
  expect(await runs('berlin', id)).toHaveLength(1)
})

it('tries again with the same id while no model is there, and does not overlap', async () => {
  fault = new AppError('no_model', 'none is connected')
  const clock = new ManualClock(Date.parse('2026-05-01T08:59:59Z'))
  await using _worker = await worker(clock)
  const { id } = await create('patient', { cron: '* * * * *' })
  await seen('it was tried twice', [clock], async () => asked.length > 1)
  fault = undefined
  await seen('it runs', [clock], async () => (await runs('patient', id)).at(-1)?.state === 'running')
  expect(new Set(asked).size).toBe(1)
  const skipped = await seen('the next is left out', [clock], async () =>
    (await runs('patient', id)).find((run) => run.state === 'skipped'),
  )
  expect(skipped.error).toContain('still going')
})

it('is its own person alone', async () => {
  const clock = new ManualClock()
  await using _worker = await worker(clock)
  const { id } = await create('owner')
  const foreign = { actor: actor('stranger'), schedule: id }
  const refused = { code: 'not_found' }
  await expect(web.call(contracts.runSchedule, foreign)).rejects.toMatchObject(refused)
  await expect(web.call(contracts.deleteSchedule, foreign)).rejects.toMatchObject(refused)
  await expect(web.call(contracts.updateSchedule, { ...foreign, change: {} })).rejects.toMatchObject(refused)
  await expect(web.call(contracts.listScheduleRuns, { ...foreign, page })).rejects.toMatchObject(refused)
  await expect(create('owner', { cron: '0 0 30 2 *' })).rejects.toMatchObject({ code: 'invalid_request' })
})
