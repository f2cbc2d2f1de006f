import type { Message, Session, ToolCall } from '@althing/protocol/model/session'
import { describe, expect, it } from 'vitest'
import { applyToSession } from './live-session.ts'

const AT = '2026-07-03T12:00:00.000Z'
const message = (over: Partial<Message> = {}): Message => ({
  id: 'm1',
  role: 'assistant',
  content: '',
  status: 'streaming',
  frame_id: 'f1',
  created_at: AT,
  tool_calls: [],
  ...over,
})
const call = (over: Partial<ToolCall> = {}): ToolCall => ({
  id: 'c1',
  name: 'mcp__clock__now',
  arguments: {},
  status: 'running',
  ...over,
})
const session = (...messages: Message[]): Session => ({
  id: 's1',
  title: 'Clock',
  agent: 'main',
  state: 'running',
  updated_at: AT,
  grants: [],
  messages,
  usage: { input_tokens: 0, output_tokens: 0, requests: 0 },
})
const delta = (text: string, offset: number) =>
  ({ type: 'message.delta', data: { session_id: 's1', message_id: 'm1', text, offset } }) as const
const contentOf = (applied: ReturnType<typeof applyToSession>) =>
  applied === 'gap' ? applied : applied.messages[0]?.content

describe('a chat that follows the live stream', () => {
  it('appends a delta', () => {
    expect(contentOf(applyToSession(session(message({ content: 'It is ' })), delta('noon', 6)))).toBe(
      'It is noon',
    )
  })

  it('ignores a delta that came before', () => {
    const before = session(message({ content: 'It is noon' }))
    expect(applyToSession(before, delta('noon', 6))).toBe(before)
  })

  it('takes only the new end of a delta that overlaps', () => {
    expect(contentOf(applyToSession(session(message({ content: 'It is no' })), delta('noon', 6)))).toBe(
      'It is noon',
    )
  })

  it('sees a gap when text or the message itself was missed', () => {
    expect(applyToSession(session(message({ content: 'It' })), delta('noon', 6))).toBe('gap')
    expect(applyToSession(session(), delta('noon', 0))).toBe('gap')
  })

  it('does not grow a finished message', () => {
    const before = session(message({ content: 'It is', status: 'stopped' }))
    expect(applyToSession(before, delta(' noon', 5))).toBe(before)
  })

  it('keeps the longer text when a message is announced again', () => {
    const again = { type: 'message.created', data: { session_id: 's1', message: message() } } as const
    expect(contentOf(applyToSession(session(message({ content: 'It is' })), again))).toBe('It is')
  })

  it('lets the finished message win and keeps its calls', () => {
    const done = {
      type: 'message.done',
      data: { session_id: 's1', message: message({ content: 'Noon.', status: 'done' }) },
    } as const
    const applied = applyToSession(session(message({ content: 'No', tool_calls: [call()] })), done)
    expect(applied).toMatchObject({
      messages: [{ content: 'Noon.', status: 'done', tool_calls: [{ id: 'c1' }] }],
    })
  })

  it('follows a call from start to result, and never back', () => {
    const at = (type: 'tool.started' | 'tool.done', tool_call: ToolCall) =>
      ({ type, data: { session_id: 's1', message_id: 'm1', tool_call } }) as const
    const started = applyToSession(session(message()), at('tool.started', call()))
    if (started === 'gap') throw new Error('the message is there')
    const progressed = applyToSession(started, {
      type: 'tool.progress',
      data: { session_id: 's1', tool_call_id: 'c1', progress: { progress: 1, total: 2 } },
    })
    expect(progressed).toMatchObject({ messages: [{ tool_calls: [{ progress: { progress: 1 } }] }] })
    const done = applyToSession(started, at('tool.done', call({ status: 'done', result: 'noon' })))
    if (done === 'gap') throw new Error('the message is there')
    expect(applyToSession(done, at('tool.started', call()))).toMatchObject({
      messages: [{ tool_calls: [{ status: 'done', result: 'noon' }] }],
    })
  })

  it('takes state, grants and title from a turn', () => {
    expect(
      applyToSession(session(), {
        type: 'turn.state',
        data: { session_id: 's1', turn_id: 't1', state: 'idle', grants: ['clock'], title: 'Noon' },
      }),
    ).toMatchObject({ state: 'idle', grants: ['clock'], title: 'Noon' })
  })
})
