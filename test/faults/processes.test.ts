import { randomInt } from 'node:crypto'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type House, openHouse } from '../harness/house.ts'
import { Person } from '../harness/person.ts'
import { parentOf, processesWith, whyNoSandbox } from '../harness/processes.ts'
import { until } from '../harness/until.ts'

const BROOD = join(import.meta.dirname, '../fixtures/brood.ts')
const SLEEPERS = ['plain', 'detached', 'double-fork', 'cleared']
const noSandbox = whyNoSandbox()
const unless = noSandbox === undefined ? '' : ` (skipped: ${noSandbox})`
let house: House
let ada: Person

beforeAll(async () => {
  house = await openHouse({
    services: { 'mcp-gateway': 2, agent: 1, 'tic-worker': 1, web: 1 },
    env: { ALTHING_STOP_GRACE_MS: '150', ALTHING_LEASE_MS: '2000', ALTHING_LEASE_HEARTBEAT_MS: '500' },
  })
  ada = await Person.first(house.url)
})
afterAll(() => house?.[Symbol.asyncDispose]())

interface Brood {
  readonly name: string
  readonly tag: string
  /** The server, and all that came of it. */
  readonly pids: readonly number[]
}

/** A server that was started, with the processes that it left everywhere. */
async function brood(
  habits: readonly string[],
  more: Readonly<Record<string, unknown>> = {},
): Promise<Brood> {
  const tag = String(randomInt(1e9, 1e10))
  const name = `brood-${tag}`
  const args = [BROOD, tag, ...habits]
  const registered = ada.register({ name, transport: 'stdio', command: process.execPath, args, ...more })
  registered.catch(() => {})
  const sleeping = habits.filter((habit) => SLEEPERS.includes(habit)).length
  await until('the brood is there', () => processesWith(`sleep\u00001000.${tag}`).length >= sleeping)
  if (!habits.includes('mute')) expect((await registered).body).toMatchObject({ state: 'running' })
  return { name, tag, pids: processesWith(tag) }
}

/** Those that lived then and live still; a server that is started again has others. */
function left({ tag, pids }: Brood): number[] {
  const now = processesWith(tag)
  return pids.filter((pid) => now.includes(pid))
}

function gone(one: Brood): Promise<true> {
  return until('nothing is left of it', () => left(one).length === 0 || undefined)
}

/** Which of the gateways started it. */
function ownerOf({ pids }: Brood): number {
  const parents = pids.map(parentOf)
  const owner = house.stack.replicas('mcp-gateway').findIndex((one) => parents.includes(one.pid ?? -1))
  expect(owner).toBeGreaterThanOrEqual(0)
  return owner
}

describe.runIf(process.platform === 'linux')('no process of a server outlives', () => {
  // @requirement R25
  // @case B11: descendants that outlive their server
  it.each([
    ['being switched off', (name: string) => ada.send('PATCH', `/api/servers/${name}`, { enabled: false })],
    ['being deleted', (name: string) => ada.send('DELETE', `/api/servers/${name}`)],
    ['being restarted', (name: string) => ada.send('POST', `/api/servers/${name}/restart`)],
  ])('%s', async (_, end) => {
    const one = await brood(['stubborn', ...SLEEPERS])
    expect(one.pids.length).toBeGreaterThan(SLEEPERS.length)
    expect((await end(one.name)).status).toBeLessThan(300)
    expect(left(one)).toEqual([])
    await ada.send('DELETE', `/api/servers/${one.name}`)
    expect(processesWith(one.tag)).toEqual([])
  })

  it('the server that left by itself', async () => {
    const one = await brood(SLEEPERS)
    await ada.call(one.name, 'leave')
    await gone(one)
    await ada.send('DELETE', `/api/servers/${one.name}`)
    expect(processesWith(one.tag)).toEqual([])
  })

  // @requirement R25
  it('a gateway that was killed, whether the server ran or was being started', async () => {
    const running = await brood(['stubborn', ...SLEEPERS])
    const starting = await brood(['stubborn', 'mute', ...SLEEPERS])
    for (const owner of new Set([ownerOf(running), ownerOf(starting)])) {
      await house.stack.kill('mcp-gateway', owner, 'SIGKILL')
    }
    await Promise.all([gone(running), gone(starting)])
    await until('it runs again', async () => (await ada.server(running.name)).state === 'running')
    await Promise.all([running, starting].map(({ name }) => ada.send('DELETE', `/api/servers/${name}`)))
    expect([...processesWith(running.tag), ...processesWith(starting.tag)]).toEqual([])
  })

  it('the lease of a gateway that hangs', async () => {
    const one = await brood(['stubborn', ...SLEEPERS])
    const gateways = house.stack.replicas('mcp-gateway').map(({ pid = 0 }) => pid)
    const hanging = gateways[ownerOf(one)] ?? 0
    process.kill(hanging, 'SIGSTOP')
    try {
      await gone(one)
      // Seen from outside: every second question goes to the gateway that hangs.
      const starters = () => processesWith(one.tag).map(parentOf)
      await until('the other runs it', () =>
        starters().some((pid) => pid !== hanging && gateways.includes(pid)),
      )
    } finally {
      process.kill(hanging, 'SIGCONT')
    }
    await ada.send('DELETE', `/api/servers/${one.name}`)
    expect(processesWith(one.tag)).toEqual([])
  })

  // @requirement R26
  it.skipIf(noSandbox !== undefined)(`its sandbox${unless}`, async () => {
    const one = await brood(['stubborn', ...SLEEPERS, 'cleared-detached'], { isolation: 'sandbox' })
    expect((await ada.server(one.name)).isolation).toBe('sandbox')
    await house.stack.kill('mcp-gateway', ownerOf(one), 'SIGKILL')
    await gone(one)
    await until('it runs again', async () => (await ada.server(one.name)).state === 'running')
    const again = { ...one, pids: processesWith(one.tag) }
    await ada.send('DELETE', `/api/servers/${one.name}`)
    expect(left(again)).toEqual([])
  })
})
