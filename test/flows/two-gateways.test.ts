import { afterAll, beforeAll, expect, it } from 'vitest'
import { type House, openHouse } from '../harness/house.ts'
import { Person } from '../harness/person.ts'
import { notifier } from '../harness/servers.ts'
import { until } from '../harness/until.ts'

let house: House
let ada: Person

beforeAll(async () => {
  house = await openHouse({ services: { 'mcp-gateway': 2, agent: 1, 'tic-worker': 1, web: 1 } })
  ada = await Person.first(house.url)
})
afterAll(() => house?.[Symbol.asyncDispose]())

interface Whoami {
  readonly pid: number
  /** The process of the gateway that started it. */
  readonly parent: number
}

async function whoami(): Promise<Whoami | undefined> {
  const { status, body } = await ada.call('moving', 'whoami')
  return status === 200 ? (JSON.parse(String(body.result)) as Whoami) : undefined
}

// @requirement R10
it('serves a connection from the other gateway within ten seconds of the death of its owner', async () => {
  await ada.register(notifier('moving'))
  const before = await until('it answers', whoami)
  const owner = house.stack.replicas('mcp-gateway').findIndex((one) => one.pid === before.parent)
  expect(owner).toBeGreaterThanOrEqual(0)

  await house.stack.kill('mcp-gateway', owner, 'SIGKILL')
  const after = await until('the other gateway serves it', whoami, 10_000)
  expect(after.parent).not.toBe(before.parent)
  expect(house.stack.replicas('mcp-gateway').map((one) => one.pid)).toContain(after.parent)
  expect((await ada.server('moving')).state).toBe('running')
  // The dead owner's own child is gone too, whoever saw to it.
  expect(() => process.kill(before.pid, 0)).toThrow(/ESRCH/)
})
