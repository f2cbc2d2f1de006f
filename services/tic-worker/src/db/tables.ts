import type { ColumnType, Generated, Kysely, Selectable } from 'kysely'
import type { ScheduleTables } from './schedule-tables.ts'

interface EventsTable {
  id: string
  server_id: string
  server: string
  user_id: string
  method: string
  payload: ColumnType<unknown, unknown, unknown>
  dedup_key: string | null
  received_at: Date
  stored_at: Generated<Date>
  state: Generated<'pending' | 'claimed' | 'settled' | 'dead'>
  attempts: Generated<number>
  verdict: 'notify' | 'ignore' | 'missing' | null
  reason: string | null
  rule_id: string | null
  batch_id: string | null
  briefing_id: string | null
  seen_at: Date | null
}

interface BatchesTable {
  id: string
  user_id: string
  state: 'running' | 'settled' | 'failed' | 'dead'
  event_count: number
  briefing_count: Generated<number>
  attempts: Generated<number>
  error: string | null
  started_at: Generated<Date>
  ended_at: Date | null
}

interface BriefingsTable {
  id: string
  batch_id: string
  position: number
  user_id: string
  title: string
  source: string
  type: string
  summary: string
  refs: ColumnType<string[], unknown, unknown>
  urgency: 'low' | 'normal' | 'high'
  server: string | null
  state: Generated<'unread' | 'read' | 'done'>
  created_at: Generated<Date>
}

interface RulesTable {
  id: string
  user_id: string
  text: string
  action: 'always' | 'never' | 'custom'
  priority: number
  created_at: Generated<Date>
}

interface SchedulesTable {
  user_id: string
  next_run_at: Date
  worker: string | null
  lease_until: Date | null
  failures: Generated<number>
}

interface DeadMessagesTable {
  id: string
  data: Buffer
  reason: string
  received_at: Generated<Date>
}

export interface TicTables extends ScheduleTables {
  events: EventsTable
  batches: BatchesTable
  briefings: BriefingsTable
  rules: RulesTable
  schedules: SchedulesTable
  dead_messages: DeadMessagesTable
}

export type TicDb = Kysely<TicTables>
export type EventRow = Selectable<EventsTable>
export type BatchRow = Selectable<BatchesTable>
export type BriefingRow = Selectable<BriefingsTable>
