import { runTriage } from '@althing/protocol/bus/agent'
import { serverNotified } from '@althing/protocol/bus/gateway'
import * as contracts from '@althing/protocol/bus/tic'
import { TriageAnswer } from '@althing/protocol/model/briefing'
import type { LiveEvent } from '@althing/protocol/model/live'
import { openBase } from '@althing/runtime/boot'
import { decode } from '@althing/runtime/bus/frames'
import { type Clock, systemClock } from '@althing/runtime/clock'
import { consume } from '@althing/runtime/consume'
import { openHealth } from '@althing/runtime/http'
import { runUser } from './batch.ts'
import { Claims } from './claims.ts'
import type { TicConfig } from './config.ts'
import type { TicTables } from './db/tables.ts'
import { listBatches } from './handlers/list-batches.ts'
import { listBriefings } from './handlers/list-briefings.ts'
import { listEvents } from './handlers/list-events.ts'
import { markBriefing } from './handlers/mark-briefing.ts'
import { runBatch } from './handlers/run-batch.ts'
import { keepDead, storeEvents } from './intake.ts'
import { sweepOld } from './retention.ts'
import { Schedule } from './schedule.ts'
import { serveSchedules } from './serve-schedules.ts'

const SWEEP_EVERY_MS = 3_600_000
const MESSAGES_AT_ONCE = 16

/** Builds the tic worker and starts it: intake, schedule, handlers. */
export async function createTicWorker(
  config: TicConfig,
  { clock = systemClock }: { clock?: Clock } = {},
): Promise<AsyncDisposable> {
  await using stack = new AsyncDisposableStack()
  const { instance, log, telemetry, db, bus, checks } = await openBase<TicTables>(
    stack,
    'tic-worker',
    'tic',
    config,
  )
  const tell = (user: string, event: LiveEvent) => bus.publish(contracts.ticLive, { user }, event)
  const intervalMs = config.ALTHING_TIC_INTERVAL_SECS * 1000
  const claims = new Claims()

  const schedule = new Schedule({
    db,
    worker: instance,
    leaseMs: config.ALTHING_TIC_LEASE_MS,
    intervalMs,
    lookMs: config.ALTHING_TIC_LOOK_MS,
    clock,
    log,
    runUser: runUser({
      db,
      log,
      intervalMs,
      retryFirstMs: config.ALTHING_TIC_RETRY_FIRST_MS,
      retryLongestMs: config.ALTHING_TIC_RETRY_LONGEST_MS,
      tell,
      onClaimed: (user, batch) => claims.announce(user, batch),
      triage: async (input, signal) =>
        TriageAnswer.parse(
          decode(await bus.stream(runTriage, {}, { ...input, rules: [...input.rules] }, { signal })),
        ),
    }),
  })
  stack.use(schedule)
  schedule.start()

  stack.use(
    await consume(bus, serverNotified, {
      durable: 'tic-intake',
      most: MESSAGES_AT_ONCE,
      ackWaitMs: config.ALTHING_INTAKE_ACK_WAIT_MS,
      handle: storeEvents({ db, intervalMs, tell }),
      onDead: keepDead({ db }),
      log,
    }),
  )
  const sweep = setInterval(() => {
    sweepOld(db, config.ALTHING_EVENT_RETENTION_DAYS).catch((error) =>
      log.warn({ err: error }, 'old events could not be removed'),
    )
  }, SWEEP_EVERY_MS)
  stack.defer(() => clearInterval(sweep))

  stack.use(bus.serve(contracts.listEvents, listEvents({ db })))
  stack.use(bus.serve(contracts.listBriefings, listBriefings({ db })))
  stack.use(bus.serve(contracts.markBriefing, markBriefing({ db, tell })))
  stack.use(bus.serve(contracts.listBatches, listBatches({ db })))
  stack.use(
    bus.serve(
      contracts.runBatch,
      runBatch({
        runNow: (user) => schedule.runNow(user),
        nextClaim: (user, withinMs) => claims.next(user, withinMs),
      }),
    ),
  )
  stack.use(serveSchedules({ bus, db, clock, log, worker: instance, config }))
  stack.use(
    await openHealth({
      host: config.HEALTH_HOST,
      port: config.HEALTH_PORT,
      telemetry,
      checks,
    }),
  )
  // Whoever hears that it is there must be able to ask it.
  await bus.check()
  log.info('ready')
  return stack.move()
}
