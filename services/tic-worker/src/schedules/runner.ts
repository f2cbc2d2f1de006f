import type { Clock } from '@althing/runtime/clock'
import type { Log } from '@althing/runtime/log'
import { rounds } from '../rounds.ts'
import { writeDueRuns } from './due.ts'
import { followRuns, type RunDeps, startRuns, sweepRuns } from './runs.ts'

/** A time that passed longer ago was missed, not late. */
const LATE_MS = 60_000
const SWEEP_EVERY_MS = 3_600_000

interface RunnerDeps extends RunDeps {
  readonly clock: Clock
  readonly log: Log
  readonly lookMs: number
  readonly followMs: number
  readonly keepDays: number
}

/** Runs everybody's schedules until it is disposed; any number of workers do this together. */
export function runSchedules(deps: RunnerDeps): AsyncDisposable {
  const { db, clock, log, lookMs, followMs, keepDays } = deps
  const stack = new AsyncDisposableStack()
  const every = (what: string, everyMs: number, round: () => Promise<boolean>) =>
    stack.use(rounds({ what, everyMs, clock, log, round }))
  every('schedules', lookMs, async () => {
    const now = new Date(clock.now())
    const due = await writeDueRuns(db, now, LATE_MS)
    const started = await startRuns(deps, now)
    return due > 0 || started > 0
  })
  every('outcomes of schedules', followMs, async () => {
    await followRuns(deps)
    return false
  })
  every('old runs of schedules', SWEEP_EVERY_MS, async () => {
    await sweepRuns(db, keepDays)
    return false
  })
  return stack
}
