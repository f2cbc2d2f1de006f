import { useQuery } from '@tanstack/react-query'
import { Inbox } from 'lucide-react'
import { useState } from 'react'
import { briefingsQuery, inboxQuery } from '../../api/inbox.ts'
import { ApprovalAsked, QuestionAsked } from '../../components/asked/asked-card.tsx'
import { BriefingCard } from '../../components/briefing-card.tsx'
import { ElicitationCard } from '../../components/elicitation-card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Failed } from '../../ui/failed.tsx'
import { Page } from '../../ui/page.tsx'
import { Segmented } from '../../ui/segmented.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'

const VIEWS = [
  { value: 'open', label: 'Open' },
  { value: 'all', label: 'All' },
] as const

/** What waits for the person. */
export function InboxPage() {
  const [view, setView] = useState<'open' | 'all'>('open')
  return (
    <Page
      title="Inbox"
      width="read"
      actions={<Segmented label="Briefings" value={view} options={VIEWS} onChange={setView} />}
    >
      {view === 'open' ? <Open /> : <All />}
    </Page>
  )
}

function Open() {
  const { data, error, refetch } = useQuery(inboxQuery)
  if (data === undefined)
    return error === null ? <Skeleton rows={3} height={110} /> : <Failed error={error} onRetry={refetch} />
  const open = data.briefings.filter(({ state }) => state !== 'done')
  const { approvals, questions, elicitations } = data
  const asked = approvals.length + questions.length + elicitations.length
  if (open.length === 0 && asked === 0)
    return (
      <EmptyState icon={<Inbox />} title="Nothing waits for you">
        Briefings come here: what your servers reported, judged, and worth your time. So does what an agent or
        a server asks you.
      </EmptyState>
    )
  return (
    <>
      {asked > 0 && <h2 className="section-title">Needs your answer</h2>}
      {approvals.map((card) => (
        <ApprovalAsked key={card.id} card={card} />
      ))}
      {questions.map((card) => (
        <QuestionAsked key={card.id} card={card} />
      ))}
      {elicitations.map((card) => (
        <ElicitationCard key={card.id} card={card} />
      ))}
      {open.length > 0 && <h2 className="section-title">Briefings</h2>}
      {open.map((briefing) => (
        <BriefingCard key={briefing.id} briefing={briefing} />
      ))}
    </>
  )
}

function All() {
  const { data, error, refetch } = useQuery(briefingsQuery)
  if (data === undefined)
    return error === null ? <Skeleton rows={3} height={110} /> : <Failed error={error} onRetry={refetch} />
  if (data.briefings.length === 0)
    return (
      <EmptyState icon={<Inbox />} title="No briefings yet">
        They are made from the events of your servers, every few minutes or when you run triage.
      </EmptyState>
    )
  return (
    <>
      <h2 className="section-title">All briefings</h2>
      {data.briefings.map((briefing) => (
        <BriefingCard key={briefing.id} briefing={briefing} />
      ))}
    </>
  )
}
