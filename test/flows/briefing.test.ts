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
  house = await openHouse({ env: { ...model.env, ALTHING_TIC_INTERVAL_SECS: '1' } })
  ada = await Person.first(house.url)
  await ada.register(notifier('mail'))
})
afterAll(async () => {
  await Promise.all([house?.[Symbol.asyncDispose](), model?.[Symbol.asyncDispose]()])
})

// @requirement R9
it('asks no model while there are no events', async () => {
  const answer = await ada.send('POST', '/api/tic/run')
  expect(answer).toMatchObject({ status: 202, body: {} })
  expect(model.requests()).toEqual([])
})

// @requirement R8
it('turns a pushed event into a briefing in the inbox', async () => {
  await ada.call('mail', 'notify', { method: 'event/new_email', count: 2, payload: { subject: 'Lunch' } })
  const inbox = await until('a briefing is in the inbox', async () => {
    const now = await ada.inbox()
    return now.briefings.length > 0 ? now : undefined
  })
  const [briefing] = inbox.briefings
  expect(briefing).toMatchObject({ source: 'mail', state: 'unread', server: 'mail' })
  expect(inbox.total).toBe(inbox.briefings.length)

  const events = await until('every event is settled', async () => {
    const all = await ada.events()
    return all.length === 2 && all.every((event) => event.state === 'settled') ? all : undefined
  })
  for (const event of events) {
    expect(event).toMatchObject({
      method: 'event/new_email',
      verdict: 'notify',
      server: 'mail',
      payload: { subject: 'Lunch' },
    })
    expect(event.batch_id).toBeDefined()
  }
})

it('marks a briefing as read and as done', async () => {
  const [briefing] = (await ada.inbox()).briefings
  const read = await ada.send('POST', `/api/inbox/briefings/${briefing?.id}`, { state: 'read' })
  expect(read.body).toMatchObject({ state: 'read' })
  await ada.send('POST', `/api/inbox/briefings/${briefing?.id}`, { state: 'done' })
  expect((await ada.inbox()).briefings.map((open) => open.id)).not.toContain(briefing?.id)
  expect((await ada.briefings()).map((any) => any.id)).toContain(briefing?.id)
})

it('keeps log messages out of the events', async () => {
  await ada.call('mail', 'log', { level: 'warning', text: 'rate limit approaching' })
  await until('the line is in the log', async () => {
    const { body } = await ada.send<string>('GET', '/api/servers/mail/log')
    return /\[warning\] {4}.*rate limit approaching/.test(body)
  })
  expect((await ada.events()).every((event) => event.method.startsWith('event/'))).toBe(true)
})
