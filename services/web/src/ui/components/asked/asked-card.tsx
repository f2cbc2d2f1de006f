import type { ApprovalCard, QuestionCard } from '@althing/protocol/model/inbox'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { paths } from '../../paths.ts'
import { Tag } from '../../ui/tag.tsx'
import { Until } from './until.tsx'
import '../briefing-card.css'
import { ApprovalForm } from './approval-form.tsx'
import './asked.css'
import { QuestionForm } from './question-form.tsx'

/** A call that waits until its person allows it. */
export function ApprovalAsked({ card }: { card: ApprovalCard }) {
  const title = `Allow ${card.server === undefined ? card.tool : `a call to ${card.server}`}?`
  return (
    <Asked card={card} title={title} tag={<RiskTag card={card} />}>
      <p className="mono small asked-tool">{card.tool}</p>
      <pre className="asked-arguments">{JSON.stringify(card.arguments, null, 2)}</pre>
      <ApprovalForm card={card} />
    </Asked>
  )
}

/** A question of an agent. */
export function QuestionAsked({ card }: { card: QuestionCard }) {
  return (
    <Asked card={card} title="The agent asks">
      <p className="briefing-text">{card.question}</p>
      <QuestionForm card={card} />
    </Asked>
  )
}

interface AskedProps {
  readonly card: ApprovalCard | QuestionCard
  readonly title: string
  readonly tag?: ReactNode
  readonly children: ReactNode
}

function Asked({ card, title, tag, children }: AskedProps) {
  const { session_id: session, deadline_at: deadline } = card
  return (
    <article className="card briefing" aria-label={title}>
      <div className="row briefing-head">
        <h3>{title}</h3>
        {tag}
        <span className="muted tiny end">
          {session !== undefined && (
            <Link to={paths.chat} params={{ id: session }}>
              {card.title || 'Open the chat'}
            </Link>
          )}
          <Until deadline={deadline} />
        </span>
      </div>
      {children}
    </article>
  )
}

/** What the server itself says that the tool does. */
export function RiskTag({ card: { annotations } }: { card: ApprovalCard }) {
  if (annotations?.readOnlyHint === true) return <Tag>reads</Tag>
  if (annotations?.destructiveHint === true) return <Tag tone="bad">may destroy</Tag>
  return <Tag tone="warn">may change things</Tag>
}
