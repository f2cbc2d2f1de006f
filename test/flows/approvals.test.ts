import { mkdtemp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ApprovalRuleList } from '@althing/protocol/model/approval'
import type { Session } from '@althing/protocol/model/session'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type House, openHouse } from '../harness/house.ts'
import { openModel, type ScriptedModel, toolNames } from '../harness/model.ts'
import { Person } from '../harness/person.ts'
import { rounds, roundsScript, scripted } from '../harness/rounds.ts'
import { notifier } from '../harness/servers.ts'
import { until } from '../harness/until.ts'

const APPEND = 'mcp__work__append'
const ACTIVATE = [scripted('activate_tools', { groups: ['work'] })]

let model: ScriptedModel
let house: House
let ada: Person
let bob: Person
let folder: string

beforeAll(async () => {
  model = await openModel(roundsScript)
  house = await openHouse({ env: { ...model.env, ALTHING_TURN_LEASE_MS: '1000' } })
  ada = await Person.first(house.url)
  bob = await ada.colleague('bob@example.test', 'member')
  await ada.register(notifier('work'))
  folder = await mkdtemp(join(house.dataDir, 'files-'))
})
afterAll(async () => {
  await Promise.all([house?.[Symbol.asyncDispose](), model?.[Symbol.asyncDispose]()])
})

const send = (who: Person, chat: string, content: string) =>
  who.send('POST', `/api/sessions/${chat}/messages`, { content })

const resolve = (who: Person, id: string, body: object) =>
  who.problem('POST', `/api/inbox/approvals/${id}/resolve`, body)

async function reaches(who: Person, chat: string, state: Session['state']): Promise<Session> {
  return until(`the chat is ${state}`, async () => {
    const now = await who.chat(chat)
    return now.state === state ? now : undefined
  })
}

/** A chat that waits until a line may be appended to a file. */
async function waiting(name: string): Promise<{ chat: string; file: string; card: string }> {
  const file = join(folder, name)
  const chat = await ada.openChat()
  await send(ada, chat, rounds(ACTIVATE, [scripted(APPEND, { file, line: 'from the model' })]))
  await reaches(ada, chat, 'waiting')
  const card = (await ada.inbox()).approvals.find((one) => one.session_id === chat)
  if (card === undefined) throw new Error('no card')
  return { chat, file, card: card.id }
}

const calls = (session: Session) => session.messages.flatMap((message) => message.tool_calls)
const lines = async (file: string) =>
  (await readFile(file, 'utf8').catch(() => '')).split('\n').filter(Boolean)

// @requirement R61
it('a call that may change something waits for its person, who may change its arguments', async () => {
  const { chat, file, card } = await waiting('edited')
  const { approvals, total } = await ada.inbox()
  expect(approvals.find((one) => one.id === card)).toMatchObject({
    tool: APPEND,
    server: 'work',
    arguments: { file, line: 'from the model' },
    annotations: { destructiveHint: true },
    agent: 'main',
  })
  expect(total).toBeGreaterThan(0)
  expect(calls(await ada.chat(chat)).at(-1)?.status).toBe('waiting')
  expect(await lines(file)).toEqual([])

  const edited = { action: 'approve', arguments: { file, line: 'from Ada' } }
  expect((await resolve(ada, card, edited)).status).toBe(200)
  const done = await reaches(ada, chat, 'idle')
  expect(calls(done).at(-1)).toMatchObject({ status: 'done', arguments: { line: 'from Ada' } })
  expect(await lines(file)).toEqual(['from Ada'])
  expect((await ada.inbox()).approvals.find((one) => one.id === card)).toBeUndefined()
})

// @requirement R61
it('is answered once, by its person alone, and with what is understood', async () => {
  const { chat, file, card } = await waiting('once')
  expect((await resolve(bob, card, { action: 'approve' })).status).toBe(404)
  expect((await bob.inbox()).approvals).toEqual([])
  expect((await resolve(ada, card, { action: 'perhaps' })).status).toBe(400)
  const wrong = await resolve(ada, card, { action: 'approve', arguments: [] })
  expect(wrong.status).toBe(400)
  expect((await ada.chat(chat)).state).toBe('waiting')

  const answers = await Promise.all(
    Array.from({ length: 5 }, () => resolve(ada, card, { action: 'approve' }).then(({ status }) => status)),
  )
  expect(answers.sort()).toEqual([200, 409, 409, 409, 409])
  await reaches(ada, chat, 'idle')
  expect(await lines(file)).toEqual(['from the model'])
})

it('a refusal and its reason reach the model, and the call did not run', async () => {
  const { chat, file, card } = await waiting('refused')
  await resolve(ada, card, { action: 'reject', note: 'not today' })
  const done = await reaches(ada, chat, 'idle')
  expect(calls(done).at(-1)?.status).toBe('rejected')
  expect(done.messages.at(-1)?.content).toContain('not today')
  expect(await lines(file)).toEqual([])
})

it('"for this chat" holds in this chat, "always" in every chat, for this one tool', async () => {
  const once = await waiting('session')
  await resolve(ada, once.card, { action: 'approve', scope: 'session' })
  await reaches(ada, once.chat, 'idle')
  await send(ada, once.chat, rounds([scripted(APPEND, { file: once.file, line: 'again' })]))
  await reaches(ada, once.chat, 'idle')
  expect(await lines(once.file)).toEqual(['from the model', 'again'])

  const other = await waiting('always')
  await resolve(ada, other.card, { action: 'approve', scope: 'always' })
  await reaches(ada, other.chat, 'idle')
  const third = await ada.openChat()
  await send(ada, third, rounds(ACTIVATE, [scripted(APPEND, { file: other.file, line: 'third' })]))
  await reaches(ada, third, 'idle')
  expect(await lines(other.file)).toEqual(['from the model', 'third'])
  await send(ada, third, rounds([scripted('mcp__work__log', { text: 'x' })]))
  await reaches(ada, third, 'waiting')
  await ada.send('POST', `/api/sessions/${third}/stop`)
  await reaches(ada, third, 'idle')
  expect((await ada.inbox()).approvals).toEqual([])

  const { rules } = (await ada.send<ApprovalRuleList>('GET', '/api/approval-rules')).body
  expect(rules.map(({ pattern, server_id }) => [pattern, typeof server_id])).toEqual([
    [APPEND, 'string'],
    [APPEND, 'string'],
  ])
  for (const rule of rules) await ada.send('DELETE', `/api/approval-rules/${rule.id}`)
})

// @requirement R62
it('a denied tool is not shown to the model, and a rule of everybody is for administrators', async () => {
  const refused = await bob.problem('POST', '/api/approval-rules', {
    pattern: '*',
    action: 'allow',
    everybody: true,
  })
  expect(refused.body.code).toBe('forbidden')
  const made = await ada.send<{ id: string }>('POST', '/api/approval-rules', {
    pattern: 'mcp__work__a*',
    action: 'deny',
    everybody: true,
  })
  expect(made.status).toBe(201)
  const chat = await bob.openChat()
  await send(bob, chat, rounds(ACTIVATE, [scripted(APPEND, { file: join(folder, 'never'), line: 'x' })]))
  const done = await reaches(bob, chat, 'idle')
  expect(calls(done).at(-1)?.status).toBe('rejected')
  expect(await lines(join(folder, 'never'))).toEqual([])
  const names = toolNames(model.requests().at(-1) ?? { messages: [] })
  expect(names).not.toContain(APPEND)
  expect((await bob.problem('DELETE', `/api/approval-rules/${made.body.id}`)).body.code).toBe('forbidden')
  await ada.send('DELETE', `/api/approval-rules/${made.body.id}`)
})

it('a condition on an argument decides', async () => {
  const made = await ada.send<{ id: string }>('POST', '/api/approval-rules', {
    pattern: 'mcp__work__append',
    action: 'allow',
    conditions: [{ path: '/file', op: 'starts_with', value: folder }],
  })
  const chat = await ada.openChat()
  const file = join(folder, 'condition')
  await send(ada, chat, rounds(ACTIVATE, [scripted(APPEND, { file, line: 'inside' })]))
  await reaches(ada, chat, 'idle')
  await send(ada, chat, rounds([scripted(APPEND, { file: '/nowhere/else', line: 'outside' })]))
  await reaches(ada, chat, 'waiting')
  await ada.send('POST', `/api/sessions/${chat}/stop`)
  await reaches(ada, chat, 'idle')
  expect(await lines(file)).toEqual(['inside'])
  await ada.send('DELETE', `/api/approval-rules/${made.body.id}`)
})

it('asks for every call of a round at once, and runs them in their order', async () => {
  const file = join(folder, 'order')
  const chat = await ada.openChat()
  const both = ['first', 'second'].map((line) => scripted(APPEND, { file, line }))
  await send(ada, chat, rounds(ACTIVATE, both))
  await reaches(ada, chat, 'waiting')
  const cards = (await ada.inbox()).approvals.filter((one) => one.session_id === chat)
  expect(cards).toHaveLength(2)
  await resolve(ada, cards[1]?.id ?? '', { action: 'approve' })
  await until('it waits for the first', async () => (await ada.chat(chat)).state === 'waiting')
  expect(await lines(file)).toEqual([])
  await resolve(ada, cards[0]?.id ?? '', { action: 'approve' })
  await reaches(ada, chat, 'idle')
  expect(await lines(file)).toEqual(['first', 'second'])
})

// @requirement R63
it('a question of the agent reaches the inbox, and its answer the model', async () => {
  const chat = await ada.openChat()
  await send(
    ada,
    chat,
    rounds([scripted('ask_user', { question: 'Which colour?', options: ['red', 'blue'] })]),
  )
  await reaches(ada, chat, 'waiting')
  const card = (await ada.inbox()).questions[0]
  expect(card).toMatchObject({ question: 'Which colour?', options: ['red', 'blue'], session_id: chat })
  const path = `/api/inbox/questions/${card?.id}/resolve`
  expect((await bob.send('POST', path, { answer: 'green' })).status).toBe(404)
  expect((await ada.send('POST', path, { answer: 'blue' })).status).toBe(200)
  expect((await ada.send('POST', path, { answer: 'red' })).status).toBe(409)
  const done = await reaches(ada, chat, 'idle')
  expect(done.messages.at(-1)?.content).toContain('blue')
})

it('a stop ends what waits and takes its card back', async () => {
  const { chat, file, card } = await waiting('stopped')
  await ada.send('POST', `/api/sessions/${chat}/stop`)
  const done = await reaches(ada, chat, 'idle')
  expect(calls(done).at(-1)?.status).toBe('cancelled')
  expect((await resolve(ada, card, { action: 'approve' })).status).toBe(409)
  expect(await lines(file)).toEqual([])
})
