import * as z from 'zod'
import { defineRoute } from '../define.ts'
import { LiveEvent } from '../model/live.ts'
import { NoQuery, Nothing } from './empty.ts'

export const followLive = defineRoute({
  name: 'followLive',
  method: 'GET',
  path: '/api/live',
  access: 'user',
  query: NoQuery,
  body: Nothing,
  responses: { 200: LiveEvent },
  produces: 'text/event-stream',
  errors: [],
  tag: 'live',
  doc: 'What happens, as server-sent events. `Last-Event-ID` resumes without a gap, ten minutes back.',
})

export const health = defineRoute({
  name: 'health',
  method: 'GET',
  path: '/healthz',
  access: 'public',
  query: NoQuery,
  body: Nothing,
  responses: { 200: z.object({ status: z.literal('alive') }) },
  errors: [],
  tag: 'operate',
  doc: 'The process is alive.',
})

export const ready = defineRoute({
  name: 'ready',
  method: 'GET',
  path: '/readyz',
  access: 'public',
  query: NoQuery,
  body: Nothing,
  responses: { 200: z.object({ status: z.literal('ready'), checks: z.record(z.string(), z.string()) }) },
  errors: ['unavailable'],
  tag: 'operate',
  doc: 'The service and all it needs can work.',
})
