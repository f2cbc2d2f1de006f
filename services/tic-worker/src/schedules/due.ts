import { randomUUIDv7 } from 'node:crypto'
import { sql, type Transaction } from 'kysely'
import type { ScheduleRow } from '../db/schedule-tables.ts'
import type { TicDb, TicTables } from '../db/tables.ts'
import { CronTimes } from './cron.ts'

const AT_ONCE = 50

/**
 * Writes down a run for each schedule that is due, and when it comes next, in one transaction: of several workers one
 * does this. A time that passed more than `lateMs` ago was missed. Answers with how many schedules were due.
 */
export async function writeDueRuns(db: TicDb, now: Date, lateMs: number): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const due = await trx
      .selectFrom('cron_schedules')
      .selectAll()
      .where('enabled', '=', true)
      .where('next_run_at', '<=', now)
      .orderBy('next_run_at')
      .limit(AT_ONCE)
      .forUpdate()
      .skipLocked()
      .execute()
    for (const schedule of due) await advance(trx, schedule, now, lateMs)
    return due.length
  })
}

async function advance(
  trx: Transaction<TicTables>,
  schedule: ScheduleRow,
  now: Date,
  lateMs: number,
): Promise<void> {
  const at = schedule.next_run_at
  if (at === null) return
  const times = new CronTimes(schedule.cron, schedule.time_zone)
  const latest = times.last(now)
  const last = latest !== undefined && latest > at ? latest : at
  const onTime = now.getTime() - last.getTime() <= lateMs
  // What was missed before a time that is kept is told of too, once for all of it.
  const missed = onTime ? (last > at ? at : undefined) : last
  if (missed !== undefined && now.getTime() - missed.getTime() > lateMs) {
    const runs = schedule.missed === 'run_once' && !onTime
    await addRun(trx, schedule, missed, 'missed', runs ? undefined : 'It was due while nothing worked.', now)
  }
  if (onTime) {
    const busy = await trx
      .selectFrom('schedule_runs')
      .select('id')
      .where('schedule_id', '=', schedule.id)
      .where('state', 'in', ['waiting', 'running'])
      .executeTakeFirst()
    await addRun(trx, schedule, last, 'due', busy ? 'The run before it was still going.' : undefined, now)
  }
  // From the time itself and not from now: a time of day that comes twice in autumn stays one.
  await trx
    .updateTable('cron_schedules')
    .set({ next_run_at: times.next(last) ?? null })
    .where('id', '=', schedule.id)
    .execute()
}

async function addRun(
  trx: Transaction<TicTables>,
  schedule: ScheduleRow,
  dueAt: Date,
  reason: 'due' | 'missed',
  skippedWhy: string | undefined,
  now: Date,
): Promise<void> {
  await trx
    .insertInto('schedule_runs')
    .values({
      id: randomUUIDv7(),
      schedule_id: schedule.id,
      user_id: schedule.user_id,
      reason,
      due_at: dueAt,
      ...(skippedWhy === undefined
        ? { state: 'waiting' as const, try_at: now }
        : { state: 'skipped' as const, error: skippedWhy, ended_at: sql<Date>`now()` }),
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
