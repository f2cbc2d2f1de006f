import { randomUUIDv7 } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type House, openHouse } from '../harness/house.ts'
import { Person } from '../harness/person.ts'
import { processesWith } from '../harness/processes.ts'
import { NOTIFIER } from '../harness/servers.ts'
import { until } from '../harness/until.ts'

const IN_FLIGHT = 200
/** Heartbeats come every two seconds, three may be missed; then a new owner has ten. */
const LONGEST_MS = 25_000

let house: House
let ada: Person
/** In the command line of every server of this test. */
let token: string

beforeEach(async () => {
  house = await openHouse({ services: { 'mcp-gateway': 2, agent: 0, 'tic-worker': 0, web: 1 } })
  ada = await Person.first(house.url)
  token = `chaos-${randomUUIDv7()}`
  await ada.register({
    name: 'chaos',
    transport: 'stdio',
    command: process.execPath,
    args: [NOTIFIER, token],
  })
})
afterEach(() => house[Symbol.asyncDispose]())

/** Two hundred calls, half of them slow, at the moment when something dies; how each of them ended. */
async function endsOf(strike: () => Promise<void>): Promise<{ code: string; ms: number }[]> {
  const began = performance.now()
  const calls = Array.from({ length: IN_FLIGHT }, async (_, index) => {
    const tool = index % 2 === 0 ? 'slow' : 'echo'
    const args = index % 2 === 0 ? { ms: 1500 } : { text: `${index}` }
    const { status, body } = await ada.call('chaos', tool, args)
    const code = status === 200 ? 'done' : (body as unknown as { code: string }).code
    return { code, ms: performance.now() - began }
  })
  await until('the slow calls have begun', async () =>
    String((await ada.send('GET', '/api/servers/chaos/log')).body).includes('slow started'),
  )
  await strike()
  return Promise.all(calls)
}

/** The gateway that runs the server now. */
async function ownerPid(): Promise<number> {
  const { body } = await ada.call('chaos', 'whoami')
  return (JSON.parse(String(body.result)) as { parent: number }).parent
}

function servers(): number[] {
  return processesWith(token)
}

// @requirement R27
describe('with two hundred calls in flight no call hangs and no server runs twice', () => {
  it.each(['SIGKILL', 'SIGSTOP'] as const)('when the owning gateway gets %s', async (signal) => {
    const pid = await ownerPid()
    const ends = await endsOf(async () => void process.kill(pid, signal))
    expect(Math.max(...ends.map(({ ms }) => ms))).toBeLessThan(LONGEST_MS)
    for (const { code } of ends)
      expect(['done', 'owner_lost', 'connection_lost', 'unavailable']).toContain(code)
    await until(
      'another gateway serves',
      async () => (await ada.call('chaos', 'echo', { text: 'after' })).body.result === 'after',
      30_000,
    )
    if (signal === 'SIGSTOP') process.kill(pid, 'SIGCONT')
    await until('one server runs', () => servers().length === 1)
  })

  it('when the server is killed', async () => {
    const ends = await endsOf(async () => {
      for (const pid of servers()) process.kill(pid, 'SIGKILL')
    })
    for (const { code } of ends) expect(['done', 'connection_lost', 'server_not_running']).toContain(code)
    await until(
      'it is back',
      async () => (await ada.call('chaos', 'echo', { text: 'after' })).body.result === 'after',
    )
    expect(servers()).toHaveLength(1)
  })

  it('when the bus is killed', async () => {
    const ends = await endsOf(() => house.stack.infrastructure('nats').kill('SIGKILL'))
    expect(Math.max(...ends.map(({ ms }) => ms))).toBeLessThan(LONGEST_MS)
    await until(
      'calls go through again',
      async () => (await ada.call('chaos', 'echo', { text: 'after' })).body.result === 'after',
      30_000,
    )
    expect(servers()).toHaveLength(1)
  })
})
