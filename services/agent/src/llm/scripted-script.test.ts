import { describe, expect, it } from 'vitest'
import { scriptedReply } from './scripted-script.ts'

const own = { function: { name: 'activate_tools' } }
const echo = {
  function: {
    name: 'mcp__everything__get-sum',
    parameters: { properties: { a: {}, b: {} }, required: ['a', 'b'] },
  },
}
const user = (content: string) => ({ role: 'user', content })
const result = (content: string) => ({ role: 'tool', content })

describe('the scripted demo', () => {
  it('says that it is a script, and how to connect a model', () => {
    const reply = scriptedReply({ messages: [user('What is the weather?')], tools: [own] })
    expect(reply).toMatchObject({
      kind: 'text',
      text: expect.stringMatching(/script, not an AI[\s\S]*ALTHING_MODEL_PROVIDER/),
    })
  })

  it('activates the server first', () => {
    expect(
      scriptedReply({ messages: [user('use everything: get_sum {"a":1,"b":2}')], tools: [own] }),
    ).toEqual({
      kind: 'call',
      name: 'activate_tools',
      arguments: '{"groups":["everything"]}',
    })
  })

  it('then calls the tool, with JSON as it is or text as the first member', () => {
    const messages = [user('use everything: get_sum {"a":1,"b":2}'), result('{"groups":[]}')]
    expect(scriptedReply({ messages, tools: [own, echo] })).toEqual({
      kind: 'call',
      name: 'mcp__everything__get-sum',
      arguments: '{"a":1,"b":2}',
    })
    expect(
      scriptedReply({ messages: [user('use everything: get-sum seven')], tools: [own, echo] }),
    ).toMatchObject({ arguments: '{"a":"seven"}' })
  })

  it('answers with the result', () => {
    const messages = [user('use everything: get-sum 1'), result('{"groups":[]}'), result('3')]
    expect(scriptedReply({ messages, tools: [own, echo] })).toEqual({
      kind: 'text',
      text: 'everything answered:\n\n3',
    })
  })

  it('does not go in circles when there is no such tool', () => {
    const messages = [user('use everything: nope 1'), result('{"groups":[]}')]
    expect(scriptedReply({ messages, tools: [own, echo] })).toMatchObject({
      kind: 'text',
      text: expect.stringContaining('nope'),
    })
  })

  it('tells of every event in a triage turn, then gives every verdict', () => {
    const tools = [{ function: { name: 'notify' } }, { function: { name: 'settle' } }]
    const request =
      'rules\n----\n{"id":"e1","server":"mail","method":"event/new_email","payload":{"a":1}}\n----'
    const first = scriptedReply({ messages: [user(request)], tools })
    expect(first).toMatchObject({
      kind: 'call',
      name: 'notify',
      arguments: expect.stringContaining('"event_ids":["e1"]'),
    })
    const second = scriptedReply({ messages: [user(request), result('{}')], tools })
    expect(second).toMatchObject({
      kind: 'call',
      name: 'settle',
      arguments: expect.stringContaining('"event_id":"e1"'),
    })
  })
})
