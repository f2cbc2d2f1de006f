import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { freePort } from '@althing/local-stack/port'
import type { CatalogueEntry } from '@althing/protocol/model/catalogue-entry'
import type { Inbox } from '@althing/protocol/model/inbox'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type House, openHouse } from '../harness/house.ts'
import { Person } from '../harness/person.ts'
import { until } from '../harness/until.ts'

const DEMO = join(import.meta.dirname, '../../servers/elicitation-demo/src/main.ts')

let house: House
let ada: Person
let overHttp: ChildProcess

beforeAll(async () => {
  house = await openHouse()
  ada = await Person.first(house.url)
  const { body } = await ada.send<{ entries: CatalogueEntry[] }>('GET', '/api/catalogue')
  const offer = body.entries.find((entry) => entry.name === 'elicitation-demo')
  expect((await ada.register({ ...offer?.registration })).body.state).toBe('running')
  const port = await freePort()
  overHttp = spawn(process.execPath, [DEMO, '--http', String(port)], { stdio: ['ignore', 'ignore', 'pipe'] })
  if (overHttp.stderr) await once(overHttp.stderr, 'data')
  const registered = await ada.register({
    name: 'over-http',
    transport: 'http',
    url: `http://127.0.0.1:${port}/mcp`,
  })
  expect(registered.body).toMatchObject({ state: 'running', tool_count: 4 })
})
afterAll(async () => {
  overHttp?.kill()
  await house?.[Symbol.asyncDispose]()
})

type Card = Inbox['elicitations'][number]

/** Calls a tool, hands its card over, answers it, and gives what the tool said. */
async function answered(
  server: string,
  tool: string,
  args: Readonly<Record<string, unknown>>,
  answer: Readonly<Record<string, unknown>>,
): Promise<{ card: Card; result: unknown }> {
  const calling = ada.call(server, tool, args)
  const card = await until('a card is in the inbox', async () => (await ada.inbox()).elicitations[0])
  const sent = await ada.send('POST', `/api/inbox/elicitations/${card.id}/resolve`, answer)
  expect(sent).toMatchObject({ status: 200 })
  return { card, result: (await calling).body.result }
}

const FILLED = {
  name: 'Ada',
  email: 'ada@example.test',
  website: 'https://example.test/',
  birthday: '1990-12-10',
  meeting: '2026-05-01T09:00:00Z',
  guests: 3,
  budget: 12.5,
  newsletter: true,
  colour: 'green',
  size: 'l',
  days: ['Monday', 'Friday'],
  extras: ['desk'],
}

// @requirement R78
describe.each(['elicitation-demo', 'over-http'])('%s', (server) => {
  it('asks for a secret, masked, and does not repeat it', async () => {
    const { card, result } = await answered(
      server,
      'ask_secret',
      { reason: 'the safe' },
      { action: 'accept', content: { password: 'planted-in-the-demo' } },
    )
    expect(card).toMatchObject({ message: 'A password for the safe', sensitive: ['password'] })
    expect(result).toBe('A secret of 19 characters came; it was not kept.')
  })

  it('asks for a confirmation', async () => {
    const { card, result } = await answered(server, 'confirm', {}, { action: 'accept', content: {} })
    expect(card.schema).toMatchObject({ properties: {} })
    expect(result).toBe('Confirmed.')
    expect((await answered(server, 'confirm', {}, { action: 'decline' })).result).toBe('Declined.')
    expect((await answered(server, 'confirm', {}, { action: 'cancel' })).result).toBe('Cancelled.')
  })

  it('asks with a field of every kind, each of which can be shown', async () => {
    const { card, result } = await answered(server, 'fill_form', {}, { action: 'accept', content: FILLED })
    expect(Object.keys(card.schema.properties as object)).toEqual(Object.keys(FILLED))
    expect(card.unsupported).toBeUndefined()
    expect(JSON.parse(String(result))).toEqual(FILLED)
  })

  it('asks to visit an address', async () => {
    const url = 'https://example.test/consent'
    const { card, result } = await answered(server, 'visit_url', { url }, { action: 'accept' })
    expect(card).toMatchObject({ mode: 'url', url })
    expect(result).toBe('Visited.')
  })
})
