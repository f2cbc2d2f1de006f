import * as z from 'zod'
import { defineRequest } from '../define.ts'
import { Actor } from '../model/actor.ts'
import { Id } from '../model/ids.ts'
import { NextCursor, PageQuery } from '../model/page.ts'
import { Schedule, ScheduleChange, ScheduleDraft, ScheduleRun } from '../model/schedule.ts'

const ofSchedule = z.object({ actor: Actor, schedule: Id })

export const listSchedules = defineRequest({
  name: 'tic.listSchedules',
  owner: 'tic-worker',
  callers: ['web', 'agent'],
  subject: 'tic.v1.schedule.list',
  input: z.object({ actor: Actor }),
  output: z.object({ schedules: z.array(Schedule) }),
  errors: [],
  doc: "A person's schedules with their next runs.",
})

export const createSchedule = defineRequest({
  name: 'tic.createSchedule',
  owner: 'tic-worker',
  callers: ['web', 'agent'],
  subject: 'tic.v1.schedule.create',
  input: z.object({ actor: Actor, draft: ScheduleDraft }),
  output: Schedule,
  errors: ['invalid_request', 'forbidden', 'conflict'],
  doc: 'Makes a schedule: a prompt at its times.',
})

export const updateSchedule = defineRequest({
  name: 'tic.updateSchedule',
  owner: 'tic-worker',
  callers: ['web', 'agent'],
  subject: 'tic.v1.schedule.update',
  input: ofSchedule.extend({ change: ScheduleChange }),
  output: Schedule,
  errors: ['invalid_request', 'forbidden', 'not_found'],
  doc: 'Changes a schedule; its next run is counted anew when its time changed or it was switched on.',
})

export const deleteSchedule = defineRequest({
  name: 'tic.deleteSchedule',
  owner: 'tic-worker',
  callers: ['web', 'agent'],
  subject: 'tic.v1.schedule.delete',
  input: ofSchedule,
  output: z.object({}),
  errors: ['not_found'],
  doc: 'Removes a schedule with its history. The chats of its runs stay.',
})

export const runSchedule = defineRequest({
  name: 'tic.runSchedule',
  owner: 'tic-worker',
  callers: ['web', 'agent'],
  subject: 'tic.v1.schedule.run',
  input: ofSchedule,
  output: ScheduleRun,
  errors: ['not_found', 'rate_limited'],
  doc: 'Runs a schedule now, whether it is enabled or not.',
})

export const listScheduleRuns = defineRequest({
  name: 'tic.listScheduleRuns',
  owner: 'tic-worker',
  callers: ['web'],
  subject: 'tic.v1.schedule.list-runs',
  input: ofSchedule.extend({ page: PageQuery }),
  output: z.object({ runs: z.array(ScheduleRun), next_cursor: NextCursor }),
  errors: ['not_found', 'invalid_request'],
  doc: "A schedule's runs with their outcomes, the latest first.",
})
