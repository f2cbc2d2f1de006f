import type { ModelMessage } from 'ai'
import type { MessageWithCalls } from '../db/sessions.ts'
import type { ToolCallRow } from '../db/tables.ts'

/** Characters of one result that a model is given; the rest it reads by `read_result`. */
const LONGEST_RESULT = 32_000

/**
 * The rows of a session as a conversation that every provider takes: each call has its result, whatever became of
 * it, and messages that have not entered yet are left out.
 */
export function conversationOf(messages: readonly MessageWithCalls[]): ModelMessage[] {
  return messages.flatMap(({ message, calls }): ModelMessage[] => {
    if (message.status === 'queued') return []
    if (message.role === 'user') {
      const content = message.note === null ? message.content : `${message.content}\n\n${message.note}`
      return [{ role: 'user', content }]
    }
    if (message.content === '' && calls.length === 0) return []
    const text = message.content === '' ? [] : [{ type: 'text' as const, text: message.content }]
    const asked = calls.map((call) => ({
      type: 'tool-call' as const,
      toolCallId: call.provider_call_id,
      toolName: call.name,
      input: call.arguments ?? {},
    }))
    const assistant: ModelMessage = { role: 'assistant', content: [...text, ...asked] }
    return calls.length === 0 ? [assistant] : [assistant, { role: 'tool', content: calls.map(resultPart) }]
  })
}

function resultPart(call: ToolCallRow) {
  return {
    type: 'tool-result' as const,
    toolCallId: call.provider_call_id,
    toolName: call.name,
    output: { type: 'text' as const, value: cut(resultText(call), call.id) },
  }
}

/** What the model is told of a call. */
export function resultText(call: Pick<ToolCallRow, 'status' | 'result' | 'result_type'>): string {
  if (call.status === 'cancelled') return 'The call was cancelled by the person.'
  if (call.status === 'unknown') {
    return 'Nobody knows whether this call ran: the connection was lost before it answered. It was not sent again. Check before you repeat it.'
  }
  if (call.result === null || call.result === undefined) return 'The call has no result.'
  return typeof call.result === 'string' ? call.result : JSON.stringify(call.result)
}

/** The head of a long result, never half of a character, and how to read on where the whole is kept. */
export function cut(text: string, call?: string): string {
  if (text.length <= LONGEST_RESULT) return text
  const more =
    call === undefined ? '' : `; read on with read_result {"call":"${call}","offset":${LONGEST_RESULT}}`
  return `${text.slice(0, LONGEST_RESULT).toWellFormed()}\n[cut: ${text.length} characters in all${more}]`
}
