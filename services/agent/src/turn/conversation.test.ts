import { describe, expect, it } from 'vitest'
import type { MessageWithCalls } from '../db/sessions.ts'
import type { MessageRow, ToolCallRow } from '../db/tables.ts'
import { conversationOf, cut } from './conversation.ts'

const message = (row: Partial<MessageRow>) =>
  ({ role: 'user', content: '', note: null, status: 'done', ...row }) as MessageRow
const call = (row: Partial<ToolCallRow>) =>
  ({
    provider_call_id: 'c1',
    name: 't',
    arguments: {},
    status: 'done',
    result: 'ok',
    result_type: 'string',
    ...row,
  }) as ToolCallRow
const turn = (messages: [MessageRow, ToolCallRow[]][]): MessageWithCalls[] =>
  messages.map(([one, calls]) => ({ message: one, calls }))

describe('a conversation', () => {
  it.each(['queued', 'running', 'cancelled', 'unknown', 'failed', 'rejected'] as const)(
    'has a result for a call that is %s',
    (status) => {
      const rows = turn([
        [message({ role: 'assistant' }), [call({ status, result: null, result_type: null })]],
      ])
      const [assistant, tool] = conversationOf(rows)
      expect(assistant).toMatchObject({
        role: 'assistant',
        content: [{ type: 'tool-call', toolCallId: 'c1' }],
      })
      expect(tool).toMatchObject({
        role: 'tool',
        content: [{ toolCallId: 'c1', output: { value: expect.stringMatching(/./) } }],
      })
    },
  )

  it('says of an unknown outcome that nobody knows, and warns of a repeat', () => {
    const [, tool] = conversationOf(turn([[message({ role: 'assistant' }), [call({ status: 'unknown' })]]]))
    expect(JSON.stringify(tool)).toMatch(/Nobody knows whether this call ran/)
  })

  it('leaves out messages that have not entered, and empty ones', () => {
    expect(
      conversationOf(
        turn([
          [message({ status: 'queued', content: 'later' }), []],
          [message({ role: 'assistant' }), []],
        ]),
      ),
    ).toEqual([])
  })

  it('keeps the text of a stopped answer, and the note beside a message', () => {
    const rows = turn([
      [message({ content: 'hi', note: '(Servers changed.)' }), []],
      [message({ role: 'assistant', status: 'stopped', content: 'half' }), []],
    ])
    expect(conversationOf(rows)).toEqual([
      { role: 'user', content: 'hi\n\n(Servers changed.)' },
      { role: 'assistant', content: [{ type: 'text', text: 'half' }] },
    ])
  })

  it('cuts a huge result without splitting a character', () => {
    const text = cut(`${'x'.repeat(31_999)}😀😀`, 'c7')
    expect(text.isWellFormed()).toBe(true)
    expect(text).toMatch(/\[cut: 32003 characters in all; read on with read_result .*"c7".*32000}\]$/)
  })
})
