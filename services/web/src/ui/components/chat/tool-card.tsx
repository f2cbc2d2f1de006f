import type { ToolCall } from '@althing/protocol/model/session'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { isSettled } from '../../api/live-session.ts'
import { paths } from '../../paths.ts'
import { Dot, Tag } from '../../ui/tag.tsx'
import { useNow } from '../../ui/time.tsx'
import { duration } from '../../words/time.ts'
import { ResultView } from '../result/result-view.tsx'
import { CallAsks } from './call-asks.tsx'
import { CALL_WORDS, hasMoreArguments, shortArguments } from './call-words.ts'
import './tool-card.css'

interface ToolCardProps {
  readonly call: ToolCall
  /** How many messages of a sub-agent stand inside, and those messages. */
  readonly inner: number
  readonly children: ReactNode
}

/** One tool call of a turn, live; with the work of the sub-agent that it began, and what it asks of its person. */
export function ToolCard({ call, inner, children }: ToolCardProps) {
  const words = CALL_WORDS[call.status]
  const title = call.server === undefined ? call.name : `${call.server} · ${call.tool ?? call.name}`
  const short = shortArguments(call.arguments)
  const settled = call.result !== undefined || (call.media?.length ?? 0) > 0
  return (
    <article className={`card tool tool-${call.status}`} aria-label={`Tool call ${title}, ${words.label}`}>
      <div className="tool-head">
        <Dot tone={words.tone} pulse={call.status === 'running'} />
        <span className="mono tool-name">{title}</span>
        <KindTag call={call} />
        <span className="muted small clip tool-args">{short}</span>
        <span className="muted tiny end">
          <Elapsed call={call} />
        </span>
      </div>
      {hasMoreArguments(call.arguments) && (
        <details className="tool-arguments">
          <summary>Arguments</summary>
          <pre>{JSON.stringify(call.arguments, null, 2)}</pre>
        </details>
      )}
      {call.status === 'running' && <Progress call={call} />}
      {words.note !== undefined && (
        <p className="tool-note">
          {words.note} <NoteLink call={call} />
        </p>
      )}
      {inner > 0 && (
        <details className="tool-inner" open={!isSettled(call)}>
          <summary>
            Its work: {inner} {inner === 1 ? 'step' : 'steps'}
          </summary>
          <div className="tool-inner-body">{children}</div>
        </details>
      )}
      {call.status === 'waiting' && inner === 0 && <CallAsks call={call.id} />}
      {settled && <Result call={call} />}
    </article>
  )
}

/** What the agent does with its own tools is of less interest, so it stays folded while it goes well. */
function Result({ call }: { call: ToolCall }) {
  const body = (
    <div className="tool-body">
      <ResultView shown={call} />
    </div>
  )
  if (call.server !== undefined || call.status !== 'done') return body
  return (
    <details className="tool-own">
      <summary>Result</summary>
      {body}
    </details>
  )
}

function NoteLink({ call: { status, server } }: { call: ToolCall }) {
  if (status !== 'unknown' || server === undefined) return null
  return (
    <Link to={paths.server} params={{ name: server }} search={{ tab: 'log' }}>
      Look at the log of {server}
    </Link>
  )
}

function KindTag({ call }: { call: ToolCall }) {
  const { tone, label } = CALL_WORDS[call.status]
  if (call.status === 'running') return null
  if (call.status === 'done') return call.result_type === 'json' ? <Tag>json</Tag> : null
  return <Tag tone={tone}>{label}</Tag>
}

function Elapsed({ call }: { call: ToolCall }) {
  if (call.started_at === undefined) return null
  if (call.ended_at !== undefined)
    return duration(new Date(call.ended_at).getTime() - new Date(call.started_at).getTime())
  return call.status === 'running' ? <Running since={call.started_at} /> : null
}

function Running({ since }: { since: string }) {
  const seconds = Math.max(0, Math.floor((useNow(1000).getTime() - new Date(since).getTime()) / 1000))
  return `running, ${seconds < 60 ? `${seconds} s` : duration(seconds * 1000)}`
}

/** The server's own progress, or after two seconds a bar that only says that it goes on. */
function Progress({ call: { progress } }: { call: ToolCall }) {
  const total = progress?.total
  return (
    <div className={progress === undefined ? 'tool-body tool-late' : 'tool-body'}>
      {progress?.message !== undefined && <p className="muted small">{progress.message}</p>}
      {total === undefined || progress === undefined ? (
        <div className="bar bar-open" />
      ) : (
        <progress className="bar" aria-label="Progress" value={progress.progress} max={total} />
      )}
    </div>
  )
}
