import type { Message } from '@althing/protocol/model/session'

/** The rounds of sub-agents by the call that began them, in order. Their task stands in that call's arguments. */
export type Nested = ReadonlyMap<string, readonly Message[]>

export const NOTHING_NESTED: Nested = new Map()

export function nestedOf(messages: readonly Message[]): Nested {
  const nested = new Map<string, Message[]>()
  for (const message of messages) {
    if (message.parent_call_id === undefined || message.role === 'user') continue
    const of = nested.get(message.parent_call_id)
    if (of === undefined) nested.set(message.parent_call_id, [message])
    else of.push(message)
  }
  return nested.size === 0 ? NOTHING_NESTED : nested
}

/** What a message needs of it: the same empty one wherever nothing is nested, so that it is not drawn anew. */
export function nestedIn(message: Message, nested: Nested): Nested {
  return message.tool_calls.some(({ id }) => nested.has(id)) ? nested : NOTHING_NESTED
}
