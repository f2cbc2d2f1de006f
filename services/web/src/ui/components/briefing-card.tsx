import type { Briefing } from '@althing/protocol/model/briefing'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { briefingsQuery, inboxQuery, setBriefingState } from '../api/inbox.ts'
import { paths } from '../paths.ts'
import { Button } from '../ui/button.tsx'
import { Dot, Tag } from '../ui/tag.tsx'
import { Time } from '../ui/time.tsx'
import { toast } from '../ui/toast.tsx'
import { sentence } from '../words/errors.ts'
import './briefing-card.css'
import { MarkdownText } from './result/markdown-text.tsx'
import { SafeLink } from './result/safe-link.tsx'

/** What triage found worth telling. */
export function BriefingCard({ briefing }: { briefing: Briefing }) {
  const { id, state, title, source, urgency, event_ids: events } = briefing
  const client = useQueryClient()
  const mark = useMutation({
    mutationFn: (next: 'read' | 'done') => setBriefingState(id, next),
    onSuccess: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: inboxQuery.queryKey }),
        client.invalidateQueries({ queryKey: briefingsQuery.queryKey }),
      ]),
    onError: (error) => toast('The briefing was not changed', sentence(error)),
  })
  const unread = state === 'unread'
  return (
    <article className={`card briefing briefing-${state}`} aria-label={title}>
      <div className="row briefing-head">
        <Dot tone={unread ? 'accent' : 'plain'} />
        <h3>
          {unread && <span className="hidden">Unread: </span>}
          {title}
        </h3>
        {urgency === 'high' && <Tag tone="warn">urgent</Tag>}
        {state === 'done' && <Tag tone="ok">done</Tag>}
        <span className="muted tiny end">
          <Time at={briefing.created_at} /> · {source}
        </span>
      </div>
      {briefing.summary !== title && (
        <div className="briefing-text">
          <MarkdownText text={briefing.summary} />
        </div>
      )}
      <References refs={briefing.refs} />
      <div className="row row-wrap">
        {unread && (
          <Button busy={mark.isPending} onClick={() => mark.mutate('read')}>
            Mark as read
          </Button>
        )}
        {state !== 'done' && (
          <Button look={unread ? 'ghost' : 'plain'} busy={mark.isPending} onClick={() => mark.mutate('done')}>
            Done
          </Button>
        )}
        {events.length > 0 && (
          <Link to={paths.events} search={{ event: events[0] }} className="briefing-why">
            {events.length === 1 ? 'Why this?' : `Why these ${events.length}?`}
          </Link>
        )}
      </div>
    </article>
  )
}

function References({ refs }: { refs: readonly string[] }) {
  if (refs.length === 0) return null
  return (
    <ul className="briefing-refs">
      {refs.map((ref) => (
        <li key={ref}>
          <SafeLink address={ref}>{ref}</SafeLink>
        </li>
      ))}
    </ul>
  )
}
