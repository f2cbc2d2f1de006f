import { randomUUIDv7 } from 'node:crypto'
import { AppError } from '@althing/protocol/errors'
import type { BriefingDraft, TriageAnswer } from '@althing/protocol/model/briefing'
import type { ServerEvent } from '@althing/protocol/model/event'
import type { LiveEvent } from '@althing/protocol/model/live'
import { jsonb } from '@althing/runtime/db'
import { asAppError } from '@althing/runtime/errors'
import type { Log } from '@althing/runtime/log'
import { sql, type Transaction } from 'kysely'
import type { EventRow, TicDb, TicTables } from './db/tables.ts'
import { briefingView, triageView } from './db/views.ts'
import { batchSize, isDead, retryDelay } from './retry.ts'
import { titleOf } from './title.ts'

export interface TriageRule {
  readonly id: string
  readonly text: string
  readonly action: 'always' | 'never' | 'custom'
}

export interface BatchDeps {
  readonly db: TicDb
  readonly log: Log
  readonly intervalMs: number
  readonly retryFirstMs: number
  readonly retryLongestMs: number
  /** The triage agent's answer; rejects with an AppError. */
  readonly triage: (
    input: { user: string; batch_id: string; events: ServerEvent[]; rules: TriageRule[] },
    signal: AbortSignal,
  ) => Promise<TriageAnswer>
  readonly tell: (user: string, event: LiveEvent) => void
  /** Called with each batch as it is claimed. */
  readonly onClaimed: (user: string, batch: string) => void
}

/**
 * Judges a person's pending events, batch after batch, until none is left. Answers with the milliseconds until the
 * next run. Must be called under the person's lease.
 */
export function runUser(deps: BatchDeps) {
  return async (user: string, signal: AbortSignal): Promise<number> => {
    // Claims of a worker that died are nobody's now: this run holds the only lease.
    await deps.db
      .updateTable('events')
      .set((eb) => ({ state: 'pending', batch_id: null, attempts: eb('attempts', '+', 1) }))
      .where('user_id', '=', user)
      .where('state', '=', 'claimed')
      .execute()
    while (!signal.aborted) {
      const claimed = await claim(deps.db, user)
      if (claimed === undefined) break
      deps.onClaimed(user, claimed.batch)
      const waitMs = await judge(deps, user, claimed, signal)
      if (waitMs !== undefined) return waitMs
    }
    return deps.intervalMs
  }
}

interface Claimed {
  readonly batch: string
  readonly events: readonly EventRow[]
}

async function claim(db: TicDb, user: string): Promise<Claimed | undefined> {
  return db.transaction().execute(async (trx) => {
    const oldest = await trx
      .selectFrom('events')
      .select('attempts')
      .where('user_id', '=', user)
      .where('state', '=', 'pending')
      .orderBy('id')
      .limit(1)
      .executeTakeFirst()
    if (oldest === undefined) return undefined
    const events = await trx
      .selectFrom('events')
      .selectAll()
      .where('user_id', '=', user)
      .where('state', '=', 'pending')
      .orderBy('id')
      .limit(batchSize(oldest.attempts))
      .forUpdate()
      .execute()
    const batch = randomUUIDv7()
    await trx
      .insertInto('batches')
      .values({
        id: batch,
        user_id: user,
        state: 'running',
        event_count: events.length,
        attempts: oldest.attempts + 1,
      })
      .execute()
    await trx
      .updateTable('events')
      .set({ state: 'claimed', batch_id: batch })
      .where('id', 'in', idsOf(events))
      .execute()
    return { batch, events }
  })
}

/** Undefined: judged, go on. Else the milliseconds to wait. */
async function judge(
  deps: BatchDeps,
  user: string,
  claimed: Claimed,
  signal: AbortSignal,
): Promise<number | undefined> {
  const { db, triage, log } = deps
  try {
    const rules = await db
      .selectFrom('rules')
      .select(['id', 'text', 'action'])
      .where('user_id', '=', user)
      .orderBy('priority')
      .execute()
    const events = claimed.events.map(triageView)
    const answer = await triage({ user, batch_id: claimed.batch, events, rules }, signal)
    signal.throwIfAborted()
    await settle(deps, user, claimed, answer)
    return undefined
  } catch (thrown) {
    const error = asAppError(thrown)
    log.warn(
      { code: error.code, err: error.cause, batch: claimed.batch },
      `a batch was not judged: ${error.message}`,
    )
    return giveBack(deps, claimed, error, signal.aborted)
  }
}

/** Verdicts, briefings and the batch in one transaction: nothing is marked before all of it is done. */
async function settle(
  deps: BatchDeps,
  user: string,
  { batch, events }: Claimed,
  answer: TriageAnswer,
): Promise<void> {
  const { db, tell } = deps
  const byId = new Map(events.map((event) => [event.id, event]))
  const verdicts = new Map(answer.verdicts.map((verdict) => [verdict.event_id, verdict]))
  const made = await db.transaction().execute(async (trx) => {
    const briefings = []
    for (const [position, draft] of answer.briefings.entries()) {
      briefings.push(await insertBriefing(trx, { user, batch, position, draft, byId }))
    }
    for (const event of events) {
      const verdict = verdicts.get(event.id)
      await trx
        .updateTable('events')
        .set({
          state: 'settled',
          verdict: verdict?.verdict ?? 'missing',
          reason: verdict?.reason ?? 'The agent gave no verdict.',
          briefing_id: briefings.find((one) => one.event_ids.includes(event.id))?.id ?? null,
        })
        .where('id', '=', event.id)
        .where('batch_id', '=', batch)
        .execute()
    }
    const { numUpdatedRows } = await trx
      .updateTable('batches')
      .set({ state: 'settled', briefing_count: briefings.length, ended_at: sql`now()` })
      .where('id', '=', batch)
      .where('state', '=', 'running')
      .executeTakeFirst()
    if (numUpdatedRows === 0n) throw new AppError('conflict', 'The batch was given back meanwhile.')
    return briefings
  })
  for (const briefing of made) tell(user, { type: 'briefing.created', data: { briefing } })
  for (const event of events.slice(0, 20)) {
    tell(user, {
      type: 'event.received',
      data: { id: event.id, server: event.server, method: event.method, state: 'settled' },
    })
  }
  if (made.length > 0) tell(user, { type: 'inbox.changed', data: { total: await countOpen(db, user) } })
}

interface NewBriefing {
  readonly user: string
  readonly batch: string
  readonly position: number
  readonly draft: BriefingDraft
  readonly byId: ReadonlyMap<string, EventRow>
}

async function insertBriefing(
  trx: Transaction<TicTables>,
  { user, batch, position, draft, byId }: NewBriefing,
) {
  // Ids that the model made up, or took from elsewhere, are dropped.
  const told = draft.event_ids.filter((id) => byId.has(id))
  const servers = new Set(told.map((id) => byId.get(id)?.server))
  const [server] = servers
  const row = await trx
    .insertInto('briefings')
    .values({
      id: randomUUIDv7(),
      batch_id: batch,
      position,
      user_id: user,
      title: titleOf(draft.summary),
      source: draft.source,
      type: draft.type,
      summary: draft.summary,
      refs: jsonb(draft.refs),
      urgency: draft.urgency,
      server: servers.size === 1 ? (server ?? null) : null,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return briefingView(row, told)
}

/** The events go back to wait; a single one that failed too often is given up, visibly. */
async function giveBack(
  deps: BatchDeps,
  { batch, events }: Claimed,
  error: AppError,
  stopping: boolean,
): Promise<number> {
  const { db, intervalMs, retryFirstMs, retryLongestMs } = deps
  // Nobody is to blame for these: no model is connected, the agent is away, this worker stops.
  const innocent = stopping || ['no_model', 'unavailable', 'cancelled', 'owner_lost'].includes(error.code)
  const attempts = Math.max(...events.map((event) => event.attempts)) + (innocent ? 0 : 1)
  const dead = !innocent && isDead(attempts, events.length)
  const reason = `${error.code}: ${error.message}`.slice(0, 500)
  await db.transaction().execute(async (trx) => {
    await trx
      .updateTable('events')
      .set(dead ? { state: 'dead', reason, attempts } : { state: 'pending', batch_id: null, attempts })
      .where('id', 'in', idsOf(events))
      .where('batch_id', '=', batch)
      .execute()
    await trx
      .updateTable('batches')
      .set({ state: dead ? 'dead' : 'failed', error: reason, ended_at: sql`now()` })
      .where('id', '=', batch)
      .execute()
  })
  if (stopping || dead) return 0
  if (error.code === 'no_model') return intervalMs
  return innocent ? Math.min(intervalMs, retryFirstMs) : retryDelay(attempts, retryFirstMs, retryLongestMs)
}

export async function countOpen(db: TicDb, user: string): Promise<number> {
  const row = await db
    .selectFrom('briefings')
    .select((eb) => eb.fn.countAll<string>().as('open'))
    .where('user_id', '=', user)
    .where('state', '!=', 'done')
    .executeTakeFirstOrThrow()
  return Number(row.open)
}

function idsOf(events: readonly EventRow[]): string[] {
  return events.map((event) => event.id)
}
