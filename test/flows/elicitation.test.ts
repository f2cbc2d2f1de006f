import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { freePort } from '@althing/local-stack/port'
import type { Inbox } from '@althing/protocol/model/inbox'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type House, openHouse } from '../harness/house.ts'
import { Person } from '../harness/person.ts'
import { until } from '../harness/until.ts'

const ASKING = join(import.meta.dirname, '../fixtures/asking.ts')
const SECRET = 'planted-elicitation-value-93'

let house: House
let ada: Person
let bob: Person
const children: ChildProcess[] = []

beforeAll(async () => {
  house = await openHouse({ env: { ALTHING_ELICITATION_TIMEOUT_MS: '20000' } })
  ada = await Person.first(house.url)
  bob = await ada.colleague('bob@example.test', 'member')
  for (const era of ['legacy', 'modern']) {
    const stdio = { name: `${era}-stdio`, transport: 'stdio', command: process.execPath, args: [ASKING, era] }
    const port = await freePort()
    const child = spawn(process.execPath, [ASKING, era, String(port)], {
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    children.push(child)
    await new Promise<void>((resolve) => child.stderr?.once('data', () => resolve()))
    const http = { name: `${era}-http`, transport: 'http', url: `http://127.0.0.1:${port}/mcp` }
    for (const registration of [stdio, http]) {
      const { body } = await ada.register(registration)
      expect(body).toMatchObject({ state: 'running', era })
    }
  }
})

afterAll(async () => {
  for (const child of children) child.kill('SIGKILL')
  await house[Symbol.asyncDispose]()
})

type Card = Inbox['elicitations'][number]

function card(person: Person): Promise<Card> {
  return until('a question is in the inbox', async () => (await person.inbox()).elicitations[0])
}

const FORM = {
  message: 'Sign in',
  requestedSchema: {
    type: 'object',
    properties: { password: { type: 'string', format: 'password' }, times: { type: 'integer', default: 0 } },
    required: ['password'],
  },
}

// @requirement R18
describe.each(['legacy-stdio', 'modern-stdio', 'legacy-http', 'modern-http'])(
  'a question of %s',
  (server) => {
    it('is a card for its caller alone, answered once, checked first', async () => {
      const calling = ada.call(server, 'ask', FORM)
      const asked = await card(ada)
      expect(asked).toMatchObject({ server, mode: 'form', message: 'Sign in', sensitive: ['password'] })
      expect((await bob.inbox()).elicitations).toEqual([])
      const path = `/api/inbox/elicitations/${asked.id}/resolve`
      const accept = { action: 'accept', content: { password: SECRET, times: 3 } }
      expect((await bob.problem('POST', path, accept)).body.code).toBe('not_found')
      expect((await ada.problem('POST', path, { action: 'maybe' })).status).toBe(400)
      const wrong = await ada.problem('POST', path, { action: 'accept', content: { password: 7 } })
      expect(wrong.body).toMatchObject({
        code: 'invalid_request',
        detail: expect.stringContaining('password'),
      })
      const both = await Promise.all([ada.send('POST', path, accept), ada.send('POST', path, accept)])
      expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
      const { body } = await calling
      expect(JSON.parse(String(body.result))).toEqual({ action: 'accept', content: accept.content })
      expect((await ada.inbox()).elicitations).toEqual([])
    })

    it('can be declined', async () => {
      const calling = ada.call(server, 'ask', { message: 'Sure?' })
      const { id, schema } = await card(ada)
      expect(schema).toMatchObject({ properties: {} })
      await ada.send('POST', `/api/inbox/elicitations/${id}/resolve`, { action: 'decline' })
      expect(JSON.parse(String((await calling).body.result))).toEqual({ action: 'decline' })
    })

    it('is withdrawn when its call is stopped', async () => {
      const stop = new AbortController()
      const path = `/api/servers/${server}/tools/ask/call`
      const calling = ada.send('POST', path, { arguments: FORM }, stop.signal).catch(() => 'stopped')
      const { id } = await card(ada)
      stop.abort()
      expect(await calling).toBe('stopped')
      await until('the card is gone', async () => (await ada.inbox()).elicitations.length === 0)
      const late = await ada.problem('POST', `/api/inbox/elicitations/${id}/resolve`, { action: 'decline' })
      expect(late.body.code).toBe('conflict')
    })
  },
)

// @requirement R19
it('leaves an answered value nowhere in the data of the product: tables, streams, logs', () => {
  const found = (text: string) =>
    spawnSync('grep', ['-raFl', text, house.dataDir], { encoding: 'utf8' }).stdout
  expect(found('legacy-stdio')).not.toBe('')
  expect(found(SECRET)).toBe('')
})
