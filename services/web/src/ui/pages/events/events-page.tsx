import type { Event } from '@althing/protocol/model/event'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Zap } from 'lucide-react'
import { eventsQuery, judgeNow } from '../../api/events.ts'
import { serversQuery } from '../../api/servers.ts'
import { paths } from '../../paths.ts'
import { EVENT_STATES } from '../../search.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Failed } from '../../ui/failed.tsx'
import { Select } from '../../ui/field.tsx'
import { Page } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Tag } from '../../ui/tag.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.tsx'
import { sentence } from '../../words/errors.ts'
import { eventTitle, eventWords, STATE_LABELS } from './event-words.ts'
import './events-page.css'
import { Receipt } from './receipt.tsx'

export function EventsPage() {
  const { state, server, event: chosen } = useSearch({ from: '/frame/events' })
  const { data, error, refetch } = useQuery(eventsQuery({ state, server }))
  const selected = data?.events.find(({ id }) => id === chosen)
  return (
    <Page title="Events" width="full" actions={<RunTriage />}>
      <div className={selected === undefined ? 'events' : 'events events-open'}>
        <div className="events-list">
          <Filters />
          {data === undefined &&
            (error === null ? (
              <div className="events-pad">
                <Skeleton rows={6} height={36} />
              </div>
            ) : (
              <div className="events-pad">
                <Failed error={error} onRetry={refetch} />
              </div>
            ))}
          {data?.events.length === 0 && (
            <EmptyState icon={<Zap />} title={state || server ? 'No event matches' : 'No events yet'}>
              {state || server
                ? 'Widen the filter to see others.'
                : 'What your servers report appears here, each with what became of it and why.'}
            </EmptyState>
          )}
          {data !== undefined && data.events.length > 0 && (
            <EventTable events={data.events} chosen={chosen} />
          )}
        </div>
        {selected !== undefined && <Receipt event={selected} />}
      </div>
    </Page>
  )
}

function EventTable({ events, chosen }: { events: readonly Event[]; chosen: string | undefined }) {
  return (
    <table className="events-table">
      <thead>
        <tr>
          <th scope="col">Time</th>
          <th scope="col" className="events-server">
            Server
          </th>
          <th scope="col">Event</th>
          <th scope="col" className="events-reason">
            Reason
          </th>
          <th scope="col" className="events-batch">
            Batch
          </th>
          <th scope="col">State</th>
        </tr>
      </thead>
      <tbody>
        {events.map((event) => (
          <EventRow key={event.id} event={event} chosen={event.id === chosen} />
        ))}
      </tbody>
    </table>
  )
}

function EventRow({ event, chosen }: { event: Event; chosen: boolean }) {
  const { label, tone } = eventWords(event)
  return (
    <tr className={chosen ? 'events-chosen' : ''}>
      <td className="muted small">
        <Time at={event.received_at} />
      </td>
      <td className="events-server">
        <Tag>{event.server}</Tag>
      </td>
      <td className="events-title">
        <Link
          to={paths.events}
          search={(search) => ({ ...search, event: event.id })}
          aria-current={chosen ? 'true' : undefined}
          activeProps={{}}
        >
          {eventTitle(event)}
        </Link>
      </td>
      <td className="events-reason muted small">{event.reason}</td>
      <td className="events-batch mono muted">{event.batch_id?.slice(-6)}</td>
      <td>
        <Tag tone={tone}>{label}</Tag>
      </td>
    </tr>
  )
}

function Filters() {
  const { state, server } = useSearch({ from: '/frame/events' })
  const navigate = useNavigate({ from: '/events' })
  const { data } = useQuery(serversQuery)
  const set = (change: { state?: Event['state'] | undefined; server?: string | undefined }): void => {
    navigate({ search: { state, server, ...change }, replace: true }).catch(console.error)
  }
  return (
    <div className="events-filters">
      <Select
        aria-label="State"
        value={state ?? ''}
        options={[
          { value: '', label: 'All states' },
          ...EVENT_STATES.map((value) => ({ value, label: STATE_LABELS[value] })),
        ]}
        onChange={(value) => set({ state: value === '' ? undefined : value })}
      />
      <Select
        aria-label="Server"
        value={server ?? ''}
        options={[
          { value: '', label: 'All servers' },
          ...(data?.servers ?? []).map(({ name }) => ({ value: name, label: name })),
        ]}
        onChange={(value) => set({ server: value === '' ? undefined : value })}
      />
    </div>
  )
}

function RunTriage() {
  const client = useQueryClient()
  const run = useMutation({
    mutationFn: judgeNow,
    onSuccess: async ({ batch_id: batch }) => {
      toast(
        batch === undefined ? 'Nothing waits to be judged' : 'Triage runs',
        batch === undefined ? undefined : 'What is worth telling comes to the inbox.',
      )
      await client.invalidateQueries({ queryKey: ['events'] })
    },
    onError: (error) => toast('Triage did not run', sentence(error)),
  })
  return (
    <Button busy={run.isPending} onClick={() => run.mutate()}>
      Run triage now
    </Button>
  )
}
