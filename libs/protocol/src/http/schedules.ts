import * as z from 'zod'
import { defineRoute } from '../define.ts'
import { NextCursor, PageQuery } from '../model/page.ts'
import { Schedule, ScheduleChange, ScheduleDraft, ScheduleRun } from '../model/schedule.ts'
import { NoQuery, Nothing } from './empty.ts'

const tag = 'schedules'

export const listSchedules = defineRoute({
  name: 'listSchedules',
  method: 'GET',
  path: '/api/schedules',
  access: 'user',
  query: NoQuery,
  body: Nothing,
  responses: { 200: z.object({ schedules: z.array(Schedule) }) },
  errors: [],
  tag,
  doc: 'Your schedules with their next runs.',
})

export const createSchedule = defineRoute({
  name: 'createSchedule',
  method: 'POST',
  path: '/api/schedules',
  access: 'user',
  query: NoQuery,
  body: ScheduleDraft,
  responses: { 201: Schedule },
  errors: ['invalid_request', 'malformed_json', 'forbidden', 'conflict'],
  tag,
  doc: 'Makes a schedule: a prompt at the times of a cron line, as the clocks of its time zone show them.',
})

export const updateSchedule = defineRoute({
  name: 'updateSchedule',
  method: 'PATCH',
  path: '/api/schedules/{id}',
  access: 'user',
  query: NoQuery,
  body: ScheduleChange,
  responses: { 200: Schedule },
  errors: ['invalid_request', 'malformed_json', 'forbidden', 'not_found'],
  tag,
  doc: 'Changes a schedule, or switches it on or off.',
})

export const deleteSchedule = defineRoute({
  name: 'deleteSchedule',
  method: 'DELETE',
  path: '/api/schedules/{id}',
  access: 'user',
  query: NoQuery,
  body: Nothing,
  responses: { 204: null },
  errors: ['not_found'],
  tag,
  doc: 'Removes a schedule with its history. The chats of its runs stay.',
})

export const runSchedule = defineRoute({
  name: 'runSchedule',
  method: 'POST',
  path: '/api/schedules/{id}/run',
  access: 'user',
  query: NoQuery,
  body: Nothing,
  responses: { 202: ScheduleRun },
  errors: ['not_found', 'rate_limited'],
  tag,
  doc: 'Runs a schedule now.',
})

export const listScheduleRuns = defineRoute({
  name: 'listScheduleRuns',
  method: 'GET',
  path: '/api/schedules/{id}/runs',
  access: 'user',
  query: PageQuery,
  body: Nothing,
  responses: { 200: z.object({ runs: z.array(ScheduleRun), next_cursor: NextCursor }) },
  errors: ['invalid_request', 'not_found'],
  tag,
  doc: 'The runs of a schedule, with their chats and outcomes, the latest first.',
})
