import { mkdtemp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Session } from '@althing/protocol/model/session'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type House, openHouse } from '../harness/house.ts'
import { openModel, type ScriptedModel, toolNames } from '../harness/model.ts'
import { Person } from '../harness/person.ts'
import { rounds, roundsScript, type ScriptedCall, scripted } from '../harness/rounds.ts'
import { notifier } from '../harness/servers.ts'
import { until } from '../harness/until.ts'

const ACTIVATE = [scripted('activate_tools', { groups: ['work'] })]

let model: ScriptedModel
let house: House
let ada: Person
let folder: string

beforeAll(async () => {
  model = await openModel(roundsScript)
  house = await openHouse({
    services: { 'mcp-gateway': 1, agent: 2, 'tic-worker': 1, web: 1 },
    env: { ...model.env, ALTHING_TURN_LEASE_MS: '1000' },
  })
  ada = await Person.first(house.url)
  await ada.register(notifier('work'))
  folder = await mkdtemp(join(house.dataDir, 'files-'))
})
afterAll(async () => {
  await Promise.all([house?.[Symbol.asyncDispose](), model?.[Symbol.asyncDispose]()])
})

const task = (...list: readonly (readonly ScriptedCall[])[]): ScriptedCall =>
  scripted('dispatch_agent', { agent: 'generalist', prompt: rounds(...list) })

const send = (chat: string, content: string) =>
  ada.send('POST', `/api/sessions/${chat}/messages`, { content })

async function reaches(chat: string, state: Session['state']): Promise<Session> {
  return until(
    `the chat is ${state}`,
    async () => {
      const now = await ada.chat(chat)
      return now.state === state ? now : undefined
    },
    30_000,
  )
}

const calls = (session: Session) => session.messages.flatMap((message) => message.tool_calls)
const lines = async (file: string) =>
  (await readFile(file, 'utf8').catch(() => '')).split('\n').filter(Boolean)

// @requirement R64
it('sub-agents work side by side, each in its own run, and their grants end with them', async () => {
  const chat = await ada.openChat()
  const echo = (text: string) => task(ACTIVATE, [scripted('mcp__work__echo', { text })])
  await send(chat, rounds([echo('one'), echo('two')]))
  const done = await reaches(chat, 'idle')

  const [first, second] = calls(done).filter((call) => call.name === 'dispatch_agent')
  expect(first?.status).toBe('done')
  expect(JSON.stringify(first?.result)).toContain('one')
  expect(JSON.stringify(second?.result)).toContain('two')
  const nested = done.messages.filter((message) => message.parent_call_id === first?.id)
  expect(nested.map(({ role }) => role)).toEqual(['user', 'assistant', 'assistant', 'assistant'])
  expect(new Set(nested.map(({ frame_id }) => frame_id)).size).toBe(1)
  expect(done.grants).toEqual([])

  await send(chat, 'and now?')
  await reaches(chat, 'idle')
  const last = model.requests().at(-1)
  expect(toolNames(last ?? { messages: [] }).some((name) => name.startsWith('mcp__'))).toBe(false)
  const seen = JSON.stringify(last?.messages)
  expect(seen).toContain('dispatch_agent')
  expect(seen.split('mcp__work__echo').length).toBe(5) // in the message and in the prompts alone: the runs are not told again
})

it('an approval in a sub-agent parks the turn, and its answer goes on with the sub-agent', async () => {
  const file = join(folder, 'nested')
  const chat = await ada.openChat()
  await send(chat, rounds([task(ACTIVATE, [scripted('mcp__work__append', { file, line: 'deep' })])]))
  await reaches(chat, 'waiting')
  const card = (await ada.inbox()).approvals[0]
  await ada.send('POST', `/api/inbox/approvals/${card?.id}/resolve`, { action: 'approve' })
  const done = await reaches(chat, 'idle')
  expect(await lines(file)).toEqual(['deep'])
  expect(calls(done).map(({ name, status }) => [name, status])).toContainEqual(['dispatch_agent', 'done'])
})

it('a sub-agent of a sub-agent works, and five deep is the end', async () => {
  let nested = task([scripted('list_items', { type: 'agents' })])
  for (let depth = 1; depth < 6; depth++) nested = task([nested])
  const chat = await ada.openChat()
  await send(chat, rounds([nested]))
  const done = await reaches(chat, 'idle')
  const depths = new Set(done.messages.map(({ frame_id }) => frame_id))
  expect(depths.size).toBe(6)
  expect(calls(done).filter(({ name }) => name === 'dispatch_agent')).toHaveLength(6)
  expect(calls(done).filter(({ status }) => status === 'failed').length).toBe(1)
})

it('a stop reaches a sub-agent and what it calls', async () => {
  await ada.allow('mcp__work__slow')
  const chat = await ada.openChat()
  await send(chat, rounds([task(ACTIVATE, [scripted('mcp__work__slow', { ms: 60_000 })])]))
  await until('the call runs', async () =>
    calls(await ada.chat(chat)).some(({ tool, status }) => tool === 'slow' && status === 'running'),
  )
  await ada.send('POST', `/api/sessions/${chat}/stop`)
  const done = await reaches(chat, 'idle')
  expect(calls(done).filter(({ status }) => status === 'cancelled').length).toBe(2)
})

// @requirement R64
it('a killed worker is followed by one that goes on with the sub-agent where it was', async () => {
  const file = join(folder, 'killed')
  await ada.allow('mcp__work__append')
  const chat = await ada.openChat()
  const append = (line: string) => [scripted('mcp__work__append', { file, line })]
  await send(
    chat,
    rounds([task(ACTIVATE, append('before'), [scripted('mcp__work__slow', { ms: 1_500 })], append('after'))]),
  )
  await until('the slow call runs', async () =>
    calls(await ada.chat(chat)).some(({ tool, status }) => tool === 'slow' && status === 'running'),
  )
  await Promise.all([house.stack.kill('agent', 0, 'SIGKILL'), house.stack.kill('agent', 1, 'SIGKILL')])
  const done = await reaches(chat, 'idle')
  expect(calls(done).find(({ tool }) => tool === 'slow')?.status).toBe('unknown')
  expect(await lines(file)).toEqual(['before', 'after'])
})
