import type { Schedule, ScheduleRun } from '@althing/protocol/model/schedule'
import type { ScheduleRow, ScheduleRunRow } from '../db/schedule-tables.ts'
import { CronTimes } from './cron.ts'

const SHOWN_RUNS = 5

export function scheduleView(row: ScheduleRow, lastRun: ScheduleRunRow | undefined, now: Date): Schedule {
  return {
    id: row.id,
    name: row.name,
    cron: row.cron,
    time_zone: row.time_zone,
    prompt: row.prompt,
    agent: row.agent,
    enabled: row.enabled,
    missed: row.missed,
    next_runs: row.enabled ? nextRuns(row, now) : [],
    ...(lastRun === undefined ? {} : { last_run: runView(lastRun) }),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}

function nextRuns(row: ScheduleRow, now: Date): string[] {
  return new CronTimes(row.cron, row.time_zone).nextFew(SHOWN_RUNS, now).map((date) => date.toISOString())
}

export function runView(row: ScheduleRunRow): ScheduleRun {
  return {
    id: row.id,
    schedule_id: row.schedule_id,
    reason: row.reason,
    state: row.state,
    due_at: row.due_at.toISOString(),
    ...(row.session_id === null ? {} : { session_id: row.session_id }),
    ...(row.error === null ? {} : { error: row.error }),
    ...(row.ended_at === null ? {} : { ended_at: row.ended_at.toISOString() }),
  }
}
