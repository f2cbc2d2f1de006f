import * as z from 'zod'
import { defineRoute } from '../define.ts'
import { Id } from '../model/ids.ts'
import { NextCursor, PageQuery } from '../model/page.ts'
import { ModelList, Session, SessionSummary } from '../model/session.ts'
import { NoQuery, Nothing } from './empty.ts'

const tag = 'chat'

export const createSession = defineRoute({
  name: 'createSession',
  method: 'POST',
  path: '/api/sessions',
  access: 'user',
  query: NoQuery,
  body: z.strictObject({ agent: z.string().max(64).default('main') }),
  responses: { 201: z.object({ id: Id }) },
  errors: ['invalid_request', 'not_found'],
  tag,
  doc: 'Opens a chat.',
})

export const listSessions = defineRoute({
  name: 'listSessions',
  method: 'GET',
  path: '/api/sessions',
  access: 'user',
  query: PageQuery,
  body: Nothing,
  responses: { 200: z.object({ sessions: z.array(SessionSummary), next_cursor: NextCursor }) },
  errors: [],
  tag,
  doc: "The person's chats, the latest first.",
})

export const getSession = defineRoute({
  name: 'getSession',
  method: 'GET',
  path: '/api/sessions/{id}',
  access: 'user',
  query: NoQuery,
  body: Nothing,
  responses: { 200: Session },
  errors: ['session_not_found'],
  tag,
  doc: 'One chat with its messages.',
})

export const deleteSession = defineRoute({
  name: 'deleteSession',
  method: 'DELETE',
  path: '/api/sessions/{id}',
  access: 'user',
  query: NoQuery,
  body: Nothing,
  responses: { 204: null },
  errors: ['session_not_found'],
  tag,
  doc: 'Stops and removes a chat.',
})

export const sendMessage = defineRoute({
  name: 'sendMessage',
  method: 'POST',
  path: '/api/sessions/{id}/messages',
  access: 'user',
  query: NoQuery,
  body: z.strictObject({ content: z.string().trim().min(1).max(200_000) }),
  responses: { 202: z.object({ message_id: Id, turn_id: Id }) },
  errors: ['invalid_request', 'session_not_found', 'no_model', 'too_large'],
  tag,
  doc: 'Sends a message. The answer arrives on the live stream and in the chat.',
})

export const stopTurn = defineRoute({
  name: 'stopTurn',
  method: 'POST',
  path: '/api/sessions/{id}/stop',
  access: 'user',
  query: NoQuery,
  body: Nothing,
  responses: { 200: z.object({ stopped: z.boolean() }) },
  errors: ['session_not_found'],
  tag,
  doc: 'Stops the running turn.',
})

export const revokeGrant = defineRoute({
  name: 'revokeGrant',
  method: 'DELETE',
  path: '/api/sessions/{id}/grants/{group}',
  access: 'user',
  query: NoQuery,
  body: Nothing,
  responses: { 200: z.object({ grants: z.array(z.string()) }) },
  errors: ['session_not_found'],
  tag,
  doc: 'Takes a tool group from a chat.',
})

export const listModels = defineRoute({
  name: 'listModels',
  method: 'GET',
  path: '/api/models',
  access: 'user',
  query: NoQuery,
  body: Nothing,
  responses: { 200: ModelList },
  errors: [],
  tag,
  doc: 'The models, and the default one.',
})

export const setDefaultModel = defineRoute({
  name: 'setDefaultModel',
  method: 'PUT',
  path: '/api/models/default',
  access: 'administrator',
  query: NoQuery,
  body: z.strictObject({ model: z.string().min(1).max(200) }),
  responses: { 200: ModelList },
  errors: ['invalid_request', 'not_found'],
  tag,
  doc: 'Chooses the default model of the instance.',
})
