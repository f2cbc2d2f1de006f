import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type House, openHouse } from '../harness/house.ts'
import { openModel, type ScriptedModel, toolNames } from '../harness/model.ts'
import { Person } from '../harness/person.ts'
import { flowScript } from '../harness/script.ts'
import { everything, notifier, startEverythingOverHttp } from '../harness/servers.ts'
import { until } from '../harness/until.ts'

let model: ScriptedModel
let house: House
let ada: Person
let overHttp: Awaited<ReturnType<typeof startEverythingOverHttp>>

beforeAll(async () => {
  model = await openModel(flowScript)
  ;[house, overHttp] = await Promise.all([openHouse({ env: model.env }), startEverythingOverHttp()])
  ada = await Person.first(house.url)
  await ada.register(everything('local'))
  await ada.register({ name: 'remote', transport: 'http', url: overHttp.url })
})
afterAll(async () => {
  await Promise.all([
    house?.[Symbol.asyncDispose](),
    overHttp?.[Symbol.asyncDispose](),
    model?.[Symbol.asyncDispose](),
  ])
})

describe.each(['local', 'remote'])('a message that needs a tool of %s', (server) => {
  // @requirement R5
  it('activates the group, calls the tool in the next round and answers with its result', async () => {
    const before = model.requests().length
    const chat = await ada.openChat()
    const session = await ada.say(chat, `call ${server} echo {"message":"hello"}`)

    const [first, second, ...rest] = model.requests().slice(before)
    expect(rest).toHaveLength(1)
    expect(first && toolNames(first).filter((name) => name.startsWith('mcp__'))).toEqual([])
    expect(first && toolNames(first)).toContain('activate_tools')
    expect(second && toolNames(second)).toContain(`mcp__${server}__echo`)

    const calls = session.messages.flatMap((message) => message.tool_calls)
    expect(calls.map(({ name, status }) => [name, status])).toEqual([
      ['activate_tools', 'done'],
      [`mcp__${server}__echo`, 'done'],
    ])
    expect(calls.at(-1)).toMatchObject({ server, tool: 'echo', result_type: 'string' })
    expect(session.messages.at(-1)?.content).toContain('hello')
    expect(session.grants).toEqual([server])
  })
})

describe('grants', () => {
  // @requirement R6
  it('survive a restart of the agent', async () => {
    const chat = await ada.openChat()
    await ada.say(chat, 'call local echo {"message":"one"}')
    await house.stack.kill('agent', 0, 'SIGKILL')
    await until('the agent is back', async () => (await ada.chat(chat)).grants.includes('local'), 30_000)

    const before = model.requests().length
    await ada.say(chat, 'what can you do')
    const [request] = model.requests().slice(before)
    expect(request && toolNames(request)).toContain('mcp__local__echo')
  })
})

describe('stop', () => {
  // @requirement R7
  it('ends the call and keeps what is there', async () => {
    await ada.register(notifier('slow'))
    await ada.allow('mcp__slow__*')
    const chat = await ada.openChat()
    await ada.send('POST', `/api/sessions/${chat}/messages`, { content: 'call slow slow {"ms":60000}' })
    const running = (name: string) => async () =>
      (await ada.chat(chat)).messages
        .flatMap((message) => message.tool_calls)
        .some((call) => call.tool === name && call.status === 'running')
    await until('the call runs', running('slow'))
    const stopped = await ada.send('POST', `/api/sessions/${chat}/stop`)
    expect(stopped.body).toEqual({ stopped: true })
    const session = await until('the chat is idle', async () => {
      const now = await ada.chat(chat)
      return now.state === 'idle' ? now : undefined
    })
    const calls = session.messages.flatMap((message) => message.tool_calls)
    expect(calls.find((call) => call.tool === 'slow')?.status).toBe('cancelled')

    const again = await ada.say(chat, 'call slow echo {"text":"go on"}')
    expect(again.messages.at(-1)?.content).toContain('go on')
  })
})
