import type { Message } from '@althing/protocol/model/session'
import { memo } from 'react'
import { MarkdownText } from '../result/markdown-text.tsx'
import { type Nested, nestedIn } from './nested.ts'
import { ToolCard } from './tool-card.tsx'

interface MessageViewProps {
  readonly message: Message
  readonly nested: Nested
}

/** One message: a person's as a bubble, the agent's as text with its calls. */
export const MessageView = memo(function MessageView({ message, nested }: MessageViewProps) {
  if (message.role === 'user')
    return (
      <article className="bubble" aria-label="You">
        {message.content}
        {message.status === 'queued' && <span className="bubble-note">enters at the next round</span>}
      </article>
    )
  const growing = message.status === 'streaming'
  const empty = message.content === '' && message.tool_calls.length === 0
  return (
    <article className="answer" aria-label="Althing" aria-busy={growing || undefined}>
      {message.content !== '' && <MarkdownText text={message.content} growing={growing} />}
      {growing && empty && <Thinking />}
      {message.tool_calls.map((call) => (
        <ToolCard key={call.id} call={call} inner={nested.get(call.id)?.length ?? 0}>
          {nested.get(call.id)?.map((inner) => (
            <MessageView key={inner.id} message={inner} nested={nestedIn(inner, nested)} />
          ))}
        </ToolCard>
      ))}
      {message.status === 'stopped' && <p className="tiny muted">Stopped. The text so far is kept.</p>}
      {message.status === 'failed' && (
        <p className="answer-failed">{message.error ?? 'The answer failed. Send the message again.'}</p>
      )}
    </article>
  )
})

export function Thinking() {
  return (
    <p className="thinking">
      <span />
      <span />
      <span />
      <span className="hidden">Althing is working</span>
    </p>
  )
}
