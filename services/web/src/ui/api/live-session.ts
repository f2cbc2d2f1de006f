import type { LiveEvent } from '@althing/protocol/model/live'
import type { Message, Session, ToolCall } from '@althing/protocol/model/session'

/** The live events that change one chat. */
export type SessionEvent = Extract<LiveEvent, { data: { session_id: string } }>

/** The chat after an event, or `gap`: something was missed, so it has to be read again. */
export type Applied = Session | 'gap'

/**
 * Applies one live event to a chat. Events may come twice after a reconnect, so each case is idempotent;
 * an unchanged chat comes back as the same object.
 */
export function applyToSession(session: Session, event: SessionEvent): Applied {
  switch (event.type) {
    case 'turn.state': {
      const { state, grants, title } = event.data
      return {
        ...session,
        state,
        ...(grants === undefined ? {} : { grants }),
        ...(title === undefined ? {} : { title }),
      }
    }
    case 'message.created':
    case 'message.done':
      return putMessage(session, event.data.message)
    case 'message.delta': {
      const { message_id, text, offset } = event.data
      const message = session.messages.find(({ id }) => id === message_id)
      if (message === undefined || offset > message.content.length) return 'gap'
      const fresh = text.slice(message.content.length - offset)
      if (fresh === '' || isOver(message)) return session
      return replaceMessage(session, { ...message, content: message.content + fresh, status: 'streaming' })
    }
    case 'tool.started':
    case 'tool.done': {
      const message = session.messages.find(({ id }) => id === event.data.message_id)
      if (message === undefined) return 'gap'
      return replaceMessage(session, {
        ...message,
        tool_calls: putCall(message.tool_calls, event.data.tool_call),
      })
    }
    case 'tool.progress': {
      const { tool_call_id, progress } = event.data
      const message = session.messages.find(({ tool_calls }) =>
        tool_calls.some(({ id }) => id === tool_call_id),
      )
      if (message === undefined) return 'gap'
      return replaceMessage(session, {
        ...message,
        tool_calls: message.tool_calls.map((call) =>
          call.id === tool_call_id && !isSettled(call) ? { ...call, progress } : call,
        ),
      })
    }
  }
}

function isOver({ status }: Message): boolean {
  return status === 'done' || status === 'stopped' || status === 'failed'
}

export function isSettled({ status }: ToolCall): boolean {
  return status !== 'queued' && status !== 'waiting' && status !== 'running'
}

function putMessage(session: Session, incoming: Message): Session {
  const existing = session.messages.find(({ id }) => id === incoming.id)
  if (existing === undefined) return { ...session, messages: [...session.messages, incoming] }
  if (isOver(existing) && !isOver(incoming)) return session
  const longer = incoming.content.length >= existing.content.length || isOver(incoming)
  return replaceMessage(session, {
    ...incoming,
    content: longer ? incoming.content : existing.content,
    tool_calls: putCalls(existing.tool_calls, incoming.tool_calls),
  })
}

function replaceMessage(session: Session, message: Message): Session {
  return { ...session, messages: session.messages.map((old) => (old.id === message.id ? message : old)) }
}

/** Those that are known keep their place; a message that is announced again may know fewer. */
function putCalls(known: readonly ToolCall[], incoming: readonly ToolCall[]): ToolCall[] {
  let calls = [...known]
  for (const call of incoming) calls = putCall(calls, call)
  return calls
}

/** A settled call never goes back to running, whatever comes late. */
function putCall(calls: readonly ToolCall[], incoming: ToolCall): ToolCall[] {
  const existing = calls.find(({ id }) => id === incoming.id)
  if (existing === undefined) return [...calls, incoming]
  if (isSettled(existing) && !isSettled(incoming)) return [...calls]
  return calls.map((call) => (call.id === incoming.id ? { ...call, ...incoming } : call))
}
