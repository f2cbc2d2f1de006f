import * as z from 'zod'
import { defineEvent, defineRequest } from '../define.ts'
import { Actor } from '../model/actor.ts'
import { Briefing } from '../model/briefing.ts'
import { Batch, Event, EventState } from '../model/event.ts'
import { Id } from '../model/ids.ts'
import { LiveEvent } from '../model/live.ts'
import { NextCursor, PageQuery } from '../model/page.ts'
import { LIVE_STREAM } from './live-stream.ts'

export const listEvents = defineRequest({
  name: 'tic.listEvents',
  owner: 'tic-worker',
  callers: ['web'],
  subject: 'tic.v1.event.list',
  input: z.object({
    actor: Actor,
    page: PageQuery,
    state: EventState.optional(),
    server: z.string().max(64).optional(),
  }),
  output: z.object({ events: z.array(Event), next_cursor: NextCursor }),
  errors: [],
  doc: "A person's events with their receipts, the latest first.",
})

export const listBriefings = defineRequest({
  name: 'tic.listBriefings',
  owner: 'tic-worker',
  callers: ['web'],
  subject: 'tic.v1.briefing.list',
  input: z.object({ actor: Actor, page: PageQuery, open: z.boolean() }),
  output: z.object({ briefings: z.array(Briefing), unread: z.int(), next_cursor: NextCursor }),
  errors: [],
  doc: "A person's briefings, the latest first; `open` leaves out those that are done.",
})

export const markBriefing = defineRequest({
  name: 'tic.markBriefing',
  owner: 'tic-worker',
  callers: ['web'],
  subject: 'tic.v1.briefing.mark',
  input: z.object({ actor: Actor, briefing: Id, state: z.enum(['read', 'done']) }),
  output: Briefing,
  errors: ['not_found'],
  doc: 'Marks a briefing as read or done, and its events as seen.',
})

export const listBatches = defineRequest({
  name: 'tic.listBatches',
  owner: 'tic-worker',
  callers: ['web'],
  subject: 'tic.v1.batch.list',
  input: z.object({ actor: Actor, page: PageQuery }),
  output: z.object({ batches: z.array(Batch), next_cursor: NextCursor }),
  errors: [],
  doc: "A person's triage runs, the latest first.",
})

export const runBatch = defineRequest({
  name: 'tic.runBatch',
  owner: 'tic-worker',
  callers: ['web'],
  subject: 'tic.v1.batch.run',
  input: z.object({ actor: Actor }),
  output: z.object({ batch_id: Id.optional() }),
  errors: [],
  doc: "Judges a person's pending events now. No batch id: nothing is pending, or a run is on already.",
})

export const ticLive = defineEvent({
  name: 'tic.live',
  owner: 'tic-worker',
  consumers: ['web'],
  subject: 'tic.v1.live.published.{user}',
  payload: LiveEvent,
  stream: LIVE_STREAM,
  doc: "What a person's open pages are told by the event owner.",
})
