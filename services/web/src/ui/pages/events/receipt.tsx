import type { Event } from '@althing/protocol/model/event'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { batchesQuery } from '../../api/events.ts'
import { ResultView } from '../../components/result/result-view.tsx'
import { paths } from '../../paths.ts'
import { buttonClass } from '../../ui/button.tsx'
import { exactTime } from '../../words/time.ts'
import { batchWords, eventTitle, eventWords } from './event-words.ts'

/** The whole way of one event: arrived, batch, verdict, briefing, seen. */
export function Receipt({ event }: { event: Event }) {
  const { data } = useQuery(batchesQuery)
  const batch = data?.batches.find(({ id }) => id === event.batch_id)
  return (
    <aside className="receipt" aria-label="Receipt">
      <div className="row receipt-head">
        <h2>{eventTitle(event)}</h2>
        <Link
          to={paths.events}
          search={({ event: _chosen, ...search }) => search}
          className={`${buttonClass('ghost')} btn-icon end`}
          aria-label="Close"
          activeProps={{}}
        >
          <X />
        </Link>
      </div>
      <p className="muted small">
        {event.method} · {event.server}
      </p>
      <ol className="receipt-steps">
        <Step title="Arrived">{exactTime(new Date(event.received_at))}</Step>
        {event.batch_id === undefined ? (
          <Step title={event.state === 'dead' ? 'Given up' : 'Waits for the next triage'} open>
            {eventWords(event).label}
          </Step>
        ) : (
          <Step title={`Batch ${event.batch_id.slice(-6)}`}>
            {batch === undefined ? 'judged' : batchWords(batch)}
          </Step>
        )}
        {event.verdict !== undefined && (
          <Step title={`Verdict: ${event.verdict === 'notify' ? 'tell' : event.verdict}`}>
            {event.reason ?? 'without a reason'}
          </Step>
        )}
        {event.briefing_id !== undefined && (
          <Step title="Told">
            <Link to={paths.inbox}>In the inbox</Link>
          </Step>
        )}
        {event.seen_at !== undefined && <Step title="Seen">{exactTime(new Date(event.seen_at))}</Step>}
      </ol>
      <h3 className="section-title">Payload</h3>
      <div className="receipt-payload">
        <ResultView
          key={event.id}
          shown={{
            result_type: typeof event.payload === 'string' ? 'string' : 'json',
            result: event.payload,
          }}
        />
      </div>
    </aside>
  )
}

function Step({ title, open = false, children }: { title: string; open?: boolean; children: ReactNode }) {
  return (
    <li className={open ? 'receipt-waits' : ''}>
      <strong className="small">{title}</strong>
      <div className="tiny muted">{children}</div>
    </li>
  )
}
