import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { freePort } from '@althing/local-stack/port'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type House, openHouse } from '../harness/house.ts'
import { Person } from '../harness/person.ts'
import { until } from '../harness/until.ts'

const ASKING = join(import.meta.dirname, '../fixtures/asking.ts')
const ERAS = ['legacy', 'modern'] as const

let house: House
let ada: Person
const children: ChildProcess[] = []

beforeAll(async () => {
  house = await openHouse()
  ada = await Person.first(house.url)
  for (const era of ERAS) {
    const port = await freePort()
    const child = spawn(process.execPath, [ASKING, era, String(port)], {
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    children.push(child)
    await new Promise<void>((resolve) => child.stderr?.once('data', () => resolve()))
    const { body } = await ada.register({ name: era, transport: 'http', url: `http://127.0.0.1:${port}/mcp` })
    expect(body).toMatchObject({ state: 'running', era })
  }
})
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL')
  await house[Symbol.asyncDispose]()
})

async function working(): Promise<number> {
  await using admin = await connected(house.stack.adminDatabaseUrl())
  const { rows } = await admin.client.query(
    "select count(*)::int as tasks from gateway.tasks where state = 'working'",
  )
  return (rows as { tasks: number }[])[0]?.tasks ?? 0
}

async function connected(connectionString: string) {
  const client = new pg.Client({ connectionString })
  await client.connect()
  return { client, [Symbol.asyncDispose]: () => client.end() }
}

// @requirement R21
it.each(ERAS)(
  'a task of the %s era gives its result although the gateway is killed meanwhile',
  async (era) => {
    const calling = ada.call(era, 'task', { polls: 6 })
    await until('the task is stored', async () => (await working()) > 0)
    await house.stack.kill('mcp-gateway', 0, 'SIGKILL')
    const { status, body } = await calling
    expect(body).toMatchObject({ result: 'task done' })
    expect(status).toBe(200)
    await until('the gateway is back', async () => (await ada.server(era)).state === 'running')
  },
)
