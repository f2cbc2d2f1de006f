import type { Actor } from '@althing/protocol/model/actor'
import { asAppError } from '@althing/runtime/errors'
import { sql } from 'kysely'
import type { ScheduleRow, ScheduleRunRow } from '../db/schedule-tables.ts'
import type { TicDb } from '../db/tables.ts'
import { retryDelay } from '../retry.ts'

const AT_ONCE = 10
const FOLLOWED_AT_ONCE = 100
const RETRY_FIRST_MS = 5_000
const RETRY_LONGEST_MS = 300_000
/** About 40 minutes of trying. */
const MOST_ATTEMPTS = 13

export interface StartInput {
  readonly actor: Actor
  readonly schedule_id: string
  readonly run_id: string
  readonly agent: string
  readonly prompt: string
  readonly title: string
}

/** What a schedule wants of the agent. */
export interface UnattendedTurns {
  /** The same run id again gives the same turn. Rejects with an AppError. */
  start(input: StartInput): Promise<{ readonly session_id: string; readonly turn_id: string }>
  list(turns: readonly { readonly user: string; readonly turn_id: string }[]): Promise<
    readonly {
      readonly turn_id: string
      readonly state: 'queued' | 'running' | 'waiting' | 'done' | 'stopped' | 'failed'
      readonly error?: string | undefined
    }[]
  >
}

export interface RunDeps {
  readonly db: TicDb
  readonly worker: string
  readonly leaseMs: number
  readonly turns: UnattendedTurns
}

/** Brings the runs that wait to the agent, each by one worker. Answers with how many there were. */
export async function startRuns(deps: RunDeps, now: Date): Promise<number> {
  const { db, worker, leaseMs } = deps
  const { rows } = await sql<ScheduleRunRow>`
    update schedule_runs set worker = ${worker}, attempts = attempts + 1,
      lease_until = now() + ${`${leaseMs} milliseconds`}::interval
    where id in (
      select id from schedule_runs
      where state = 'waiting' and try_at <= ${now} and (lease_until is null or lease_until < now())
      order by try_at limit ${AT_ONCE} for update skip locked)
    returning *`.execute(db)
  await Promise.all(rows.map((run) => startRun(deps, run, now)))
  return rows.length
}

async function startRun({ db, worker, turns }: RunDeps, run: ScheduleRunRow, now: Date): Promise<void> {
  const schedule = await db
    .selectFrom('cron_schedules')
    .selectAll()
    .where('id', '=', run.schedule_id)
    .executeTakeFirst()
  if (schedule === undefined) return
  const mine = () =>
    db
      .updateTable('schedule_runs')
      .where('id', '=', run.id)
      .where('worker', '=', worker)
      .where('state', '=', 'waiting')
  try {
    const { session_id, turn_id } = await turns.start(inputOf(schedule, run))
    await mine()
      .set({ state: 'running', session_id, turn_id, error: null, worker: null, lease_until: null })
      .execute()
  } catch (thrown) {
    const error = asAppError(thrown)
    const reason = `${error.code}: ${error.message}`.slice(0, 500)
    const over = error.retry === 'never' || run.attempts >= MOST_ATTEMPTS
    const tryAt = new Date(now.getTime() + retryDelay(run.attempts, RETRY_FIRST_MS, RETRY_LONGEST_MS))
    await mine()
      .set({
        worker: null,
        lease_until: null,
        error: reason,
        ...(over ? { state: 'failed' as const, ended_at: sql<Date>`now()` } : { try_at: tryAt }),
      })
      .execute()
  }
}

function inputOf(schedule: ScheduleRow, run: ScheduleRunRow): StartInput {
  return {
    actor: { user: schedule.user_id, role: schedule.role },
    schedule_id: schedule.id,
    run_id: run.id,
    agent: schedule.agent,
    prompt: schedule.prompt,
    title: schedule.name,
  }
}

/** Asks how the running ones are going, and writes down the outcomes. Several workers may ask the same. */
export async function followRuns({ db, turns }: RunDeps): Promise<void> {
  let after = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const running = await db
      .selectFrom('schedule_runs')
      .select(['id', 'user_id', 'turn_id'])
      .where('state', '=', 'running')
      .where('id', '>', after)
      .orderBy('id')
      .limit(FOLLOWED_AT_ONCE)
      .execute()
    const last = running.at(-1)
    if (last === undefined) return
    const asked = running.flatMap(({ user_id: user, turn_id }) =>
      turn_id === null ? [] : [{ user, turn_id }],
    )
    const found = new Map((await turns.list(asked)).map((turn) => [turn.turn_id, turn]))
    for (const run of running) {
      const turn = found.get(run.turn_id ?? '')
      if (turn?.state === 'queued' || turn?.state === 'running' || turn?.state === 'waiting') continue
      await db
        .updateTable('schedule_runs')
        .set({
          state: turn?.state ?? 'stopped',
          error: turn === undefined ? 'Its chat was removed.' : (turn.error?.slice(0, 500) ?? null),
          ended_at: sql`now()`,
        })
        .where('id', '=', run.id)
        .where('state', '=', 'running')
        .execute()
    }
    after = last.id
  }
}

/** Removes runs that ended more than that many days ago. */
export async function sweepRuns(db: TicDb, days: number): Promise<void> {
  await sql`delete from schedule_runs where ended_at < now() - ${`${days} days`}::interval`.execute(db)
}
