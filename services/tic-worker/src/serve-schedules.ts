import * as agent from '@althing/protocol/bus/agent-unattended'
import * as contracts from '@althing/protocol/bus/tic-schedules'
import type { Bus } from '@althing/runtime/bus/bus'
import type { Clock } from '@althing/runtime/clock'
import type { Log } from '@althing/runtime/log'
import type { TicConfig } from './config.ts'
import type { TicDb } from './db/tables.ts'
import { createSchedule } from './handlers/create-schedule.ts'
import { deleteSchedule } from './handlers/delete-schedule.ts'
import { listScheduleRuns } from './handlers/list-schedule-runs.ts'
import { listSchedules } from './handlers/list-schedules.ts'
import { runSchedule } from './handlers/run-schedule.ts'
import { updateSchedule } from './handlers/update-schedule.ts'
import { runSchedules } from './schedules/runner.ts'
import type { UnattendedTurns } from './schedules/runs.ts'

interface ScheduleParts {
  readonly bus: Bus
  readonly db: TicDb
  readonly clock: Clock
  readonly log: Log
  readonly worker: string
  readonly config: TicConfig
}

/** Runs everybody's schedules and serves what is asked about them, until disposed. */
export function serveSchedules({ bus, db, clock, log, worker, config }: ScheduleParts): AsyncDisposable {
  const stack = new AsyncDisposableStack()
  const turns: UnattendedTurns = {
    start: (input) => bus.call(agent.startUnattendedTurn, input),
    list: async (asked) => (await bus.call(agent.listUnattendedTurns, { turns: [...asked] })).turns,
  }
  stack.use(
    runSchedules({
      db,
      clock,
      log,
      worker,
      turns,
      leaseMs: config.ALTHING_TIC_LEASE_MS,
      lookMs: config.ALTHING_TIC_LOOK_MS,
      followMs: config.ALTHING_SCHEDULE_FOLLOW_MS,
      keepDays: config.ALTHING_EVENT_RETENTION_DAYS,
    }),
  )
  stack.use(bus.serve(contracts.listSchedules, listSchedules({ db, clock })))
  stack.use(bus.serve(contracts.createSchedule, createSchedule({ db, clock })))
  stack.use(bus.serve(contracts.updateSchedule, updateSchedule({ db, clock })))
  stack.use(bus.serve(contracts.deleteSchedule, deleteSchedule({ db })))
  stack.use(bus.serve(contracts.runSchedule, runSchedule({ db, clock })))
  stack.use(bus.serve(contracts.listScheduleRuns, listScheduleRuns({ db })))
  return stack
}
