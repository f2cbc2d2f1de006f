import * as z from 'zod'
import { defineRoute } from '../define.ts'
import { Batch, Event, EventState } from '../model/event.ts'
import { Id } from '../model/ids.ts'
import { NextCursor, PageQuery } from '../model/page.ts'
import { NoQuery, Nothing } from './empty.ts'

const tag = 'events'

export const listEvents = defineRoute({
  name: 'listEvents',
  method: 'GET',
  path: '/api/events',
  access: 'user',
  query: PageQuery.extend({ state: EventState.optional(), server: z.string().max(64).optional() }),
  body: Nothing,
  responses: { 200: z.object({ events: z.array(Event), next_cursor: NextCursor }) },
  errors: ['invalid_request'],
  tag,
  doc: 'Events with their receipts, the latest first.',
})

export const listBatches = defineRoute({
  name: 'listBatches',
  method: 'GET',
  path: '/api/batches',
  access: 'user',
  query: PageQuery,
  body: Nothing,
  responses: { 200: z.object({ batches: z.array(Batch), next_cursor: NextCursor }) },
  errors: [],
  tag,
  doc: 'Triage runs, the latest first.',
})

export const runTriage = defineRoute({
  name: 'runTriage',
  method: 'POST',
  path: '/api/tic/run',
  access: 'user',
  query: NoQuery,
  body: Nothing,
  responses: { 202: z.object({ batch_id: Id.optional() }) },
  errors: [],
  tag,
  doc: 'Judges the pending events now.',
})
