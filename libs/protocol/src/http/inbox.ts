import * as z from 'zod'
import { defineRoute } from '../define.ts'
import { Briefing } from '../model/briefing.ts'
import { Inbox } from '../model/inbox.ts'
import { JsonObject } from '../model/json.ts'
import { NextCursor, PageQuery } from '../model/page.ts'
import { NoQuery, Nothing } from './empty.ts'

const tag = 'inbox'

export const getInbox = defineRoute({
  name: 'getInbox',
  method: 'GET',
  path: '/api/inbox',
  access: 'user',
  query: NoQuery,
  body: Nothing,
  responses: { 200: Inbox },
  errors: [],
  tag,
  doc: 'Everything that waits for the person.',
})

export const resolveElicitation = defineRoute({
  name: 'resolveElicitation',
  method: 'POST',
  path: '/api/inbox/elicitations/{id}/resolve',
  access: 'user',
  query: NoQuery,
  body: z.strictObject({
    action: z.enum(['accept', 'decline', 'cancel']),
    sealed: z.base64().max(400_000).optional(),
    content: JsonObject.optional(),
  }),
  responses: { 200: z.object({}) },
  errors: ['invalid_request', 'not_found', 'conflict', 'unavailable'],
  tag,
  doc: 'Answers what a server asked. `content` in clear is sealed at once; a second answer is a conflict.',
})

export const markBriefing = defineRoute({
  name: 'markBriefing',
  method: 'POST',
  path: '/api/inbox/briefings/{id}',
  access: 'user',
  query: NoQuery,
  body: z.strictObject({ state: z.enum(['read', 'done']) }),
  responses: { 200: Briefing },
  errors: ['invalid_request', 'not_found'],
  tag,
  doc: 'Marks a briefing as read or done.',
})

export const listBriefings = defineRoute({
  name: 'listBriefings',
  method: 'GET',
  path: '/api/briefings',
  access: 'user',
  query: PageQuery,
  body: Nothing,
  responses: { 200: z.object({ briefings: z.array(Briefing), next_cursor: NextCursor }) },
  errors: [],
  tag,
  doc: 'All briefings, the latest first.',
})
