import type { Role } from '@althing/protocol/model/actor'
import type { Generated, Selectable } from 'kysely'

interface CronSchedulesTable {
  id: string
  user_id: string
  /** The person's role when they last touched it: a run acts with no more than this. */
  role: Role
  name: string
  cron: string
  time_zone: string
  prompt: string
  agent: string
  enabled: boolean
  missed: 'skip' | 'run_once'
  /** Null: it is off, or its times are over. */
  next_run_at: Date | null
  created_at: Generated<Date>
  updated_at: Generated<Date>
}

interface ScheduleRunsTable {
  id: string
  schedule_id: string
  user_id: string
  reason: 'due' | 'missed' | 'manual'
  state: 'waiting' | 'running' | 'done' | 'failed' | 'stopped' | 'skipped'
  due_at: Date
  /** When a waiting run is next brought to the agent. */
  try_at: Date | null
  attempts: Generated<number>
  worker: string | null
  lease_until: Date | null
  session_id: string | null
  turn_id: string | null
  error: string | null
  created_at: Generated<Date>
  ended_at: Date | null
}

export interface ScheduleTables {
  cron_schedules: CronSchedulesTable
  schedule_runs: ScheduleRunsTable
}

export type ScheduleRow = Selectable<CronSchedulesTable>
export type ScheduleRunRow = Selectable<ScheduleRunsTable>
