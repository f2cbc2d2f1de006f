import type { Briefing } from '@althing/protocol/model/briefing'
import type { Batch, Event, ServerEvent } from '@althing/protocol/model/event'
import type { BatchRow, BriefingRow, EventRow } from './tables.ts'

function optional<K extends string, T>(key: K, value: T | null): { [P in K]?: T } {
  return (value === null ? {} : { [key]: value }) as { [P in K]?: T }
}

export function eventView(row: EventRow): Event {
  return {
    id: row.id,
    server: row.server,
    method: row.method,
    payload: row.payload,
    received_at: row.received_at.toISOString(),
    state: row.state,
    ...optional('verdict', row.verdict),
    ...optional('reason', row.reason),
    ...optional('rule_id', row.rule_id),
    ...optional('batch_id', row.batch_id),
    ...optional('briefing_id', row.briefing_id),
    ...optional('seen_at', row.seen_at?.toISOString() ?? null),
  }
}

/** An event as the triage agent gets it. */
export function triageView(row: EventRow): ServerEvent {
  return {
    id: row.id,
    server_id: row.server_id,
    server: row.server,
    owner: row.user_id,
    method: row.method,
    payload: row.payload,
    received_at: row.received_at.toISOString(),
  }
}

export function briefingView(row: BriefingRow, eventIds: string[]): Briefing {
  return {
    id: row.id,
    title: row.title,
    source: row.source,
    type: row.type,
    summary: row.summary,
    refs: row.refs,
    urgency: row.urgency,
    state: row.state,
    event_ids: eventIds,
    batch_id: row.batch_id,
    created_at: row.created_at.toISOString(),
    ...optional('server', row.server),
  }
}

export function batchView(row: BatchRow): Batch {
  return {
    id: row.id,
    state: row.state,
    event_count: row.event_count,
    briefing_count: row.briefing_count,
    attempts: row.attempts,
    started_at: row.started_at.toISOString(),
    ...optional('error', row.error),
    ...optional('ended_at', row.ended_at?.toISOString() ?? null),
  }
}
