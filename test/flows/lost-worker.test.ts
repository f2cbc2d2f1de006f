import { mkdtemp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type House, openHouse } from '../harness/house.ts'
import { openModel, type ScriptedModel } from '../harness/model.ts'
import { Person } from '../harness/person.ts'
import { flowScript } from '../harness/script.ts'
import { notifier } from '../harness/servers.ts'
import { until } from '../harness/until.ts'

let model: ScriptedModel
let house: House
let ada: Person

beforeAll(async () => {
  model = await openModel(flowScript)
  house = await openHouse({
    services: { 'mcp-gateway': 1, agent: 2, 'tic-worker': 1, web: 1 },
    env: { ...model.env, ALTHING_TURN_LEASE_MS: '1000' },
  })
  ada = await Person.first(house.url)
  await ada.register(notifier('work'))
  await ada.allow('mcp__work__*')
})
afterAll(async () => {
  await Promise.all([house?.[Symbol.asyncDispose](), model?.[Symbol.asyncDispose]()])
})

// @requirement R17
it('a turn whose worker is killed in a call ends at another, and the call is not sent again', async () => {
  const chat = await ada.openChat()
  await ada.send('POST', `/api/sessions/${chat}/messages`, { content: 'call work slow {"ms":60000}' })
  const call = async () =>
    (await ada.chat(chat)).messages
      .flatMap((message) => message.tool_calls)
      .find((one) => one.tool === 'slow')
  await until('the call runs', async () => (await call())?.status === 'running')
  await until('the server has it', async () => (await log()).includes('slow started'))
  // Which of the two has the turn is not known from outside: both die, as in a power cut.
  await Promise.all([house.stack.kill('agent', 0, 'SIGKILL'), house.stack.kill('agent', 1, 'SIGKILL')])

  const session = await until(
    'the turn ended',
    async () => {
      const now = await ada.chat(chat)
      return now.state === 'idle' ? now : undefined
    },
    30_000,
  )
  expect((await call())?.status).toBe('unknown')
  expect(session.messages.at(-1)?.content).toMatch(/Nobody knows whether this call ran/)
  expect((await log()).split('slow started')).toHaveLength(2)

  const next = await ada.say(chat, 'call work echo {"text":"still here"}')
  expect(next.messages.at(-1)?.content).toContain('still here')
})

it('a tool that changes things ran once', async () => {
  const file = join(await mkdtemp(join(house.dataDir, 'count-')), 'lines')
  const chat = await ada.openChat()
  await ada.say(chat, `call work append ${JSON.stringify({ file, line: 'one' })}`)
  expect(await readFile(file, 'utf8')).toBe('one\n')
})

async function log(): Promise<string> {
  return (await ada.send<string>('GET', '/api/servers/work/log')).body
}
