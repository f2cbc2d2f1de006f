import * as z from 'zod'
import { defineRoute } from '../define.ts'
import { Role } from '../model/actor.ts'
import { NextCursor, PageQuery } from '../model/page.ts'
import { ApiKey, AuditEntry, User } from '../model/user.ts'
import { NoQuery, Nothing } from './empty.ts'

const tag = 'identity'
const Name = z.string().trim().min(1).max(80)
const Password = z.string().min(10, 'use at least 10 characters').max(128)

export const getSetup = defineRoute({
  name: 'getSetup',
  method: 'GET',
  path: '/api/setup',
  access: 'public',
  query: NoQuery,
  body: Nothing,
  responses: { 200: z.object({ needed: z.boolean() }) },
  errors: [],
  tag,
  doc: 'Whether the instance still needs its first administrator.',
})

export const setUp = defineRoute({
  name: 'setUp',
  method: 'POST',
  path: '/api/setup',
  access: 'public',
  query: NoQuery,
  body: z.strictObject({ email: z.email().max(254), name: Name, password: Password }),
  responses: { 201: User },
  errors: ['invalid_request', 'set_up_done', 'rate_limited'],
  tag,
  doc: 'Creates the first administrator. Works once.',
})

export const signIn = defineRoute({
  name: 'signIn',
  method: 'POST',
  path: '/api/auth/sign-in/email',
  access: 'public',
  query: NoQuery,
  body: z.object({ email: z.string().max(254), password: z.string().max(128) }),
  responses: { 200: z.object({ user: User }) },
  errors: ['invalid_request', 'invalid_credentials', 'untrusted_origin', 'rate_limited'],
  tag,
  doc: 'Signs in; the session is a cookie.',
})

export const signOut = defineRoute({
  name: 'signOut',
  method: 'POST',
  path: '/api/auth/sign-out',
  access: 'user',
  query: NoQuery,
  body: Nothing,
  responses: { 200: z.object({ success: z.literal(true) }) },
  errors: [],
  tag,
  doc: 'Ends the session of the cookie.',
})

export const getAuthSession = defineRoute({
  name: 'getAuthSession',
  method: 'GET',
  path: '/api/auth/get-session',
  access: 'public',
  query: NoQuery,
  body: Nothing,
  responses: { 200: z.object({ user: User }).nullable() },
  errors: [],
  tag,
  doc: 'Who is signed in, or null.',
})

export const getMe = defineRoute({
  name: 'getMe',
  method: 'GET',
  path: '/api/me',
  access: 'user',
  query: NoQuery,
  body: Nothing,
  responses: { 200: User },
  errors: [],
  tag,
  doc: 'Who is signed in.',
})

export const listApiKeys = defineRoute({
  name: 'listApiKeys',
  method: 'GET',
  path: '/api/api-keys',
  access: 'user',
  query: NoQuery,
  body: Nothing,
  responses: { 200: z.object({ api_keys: z.array(ApiKey) }) },
  errors: [],
  tag,
  doc: "The person's API keys, without the keys themselves.",
})

export const createApiKey = defineRoute({
  name: 'createApiKey',
  method: 'POST',
  path: '/api/api-keys',
  access: 'user',
  query: NoQuery,
  body: z.strictObject({ name: z.string().trim().min(1).max(32) }),
  responses: { 201: z.object({ id: z.string(), key: z.string() }) },
  errors: ['invalid_request'],
  tag,
  doc: 'Makes an API key. The key is shown this once.',
})

export const deleteApiKey = defineRoute({
  name: 'deleteApiKey',
  method: 'DELETE',
  path: '/api/api-keys/{id}',
  access: 'user',
  query: NoQuery,
  body: Nothing,
  responses: { 204: null },
  errors: ['not_found'],
  tag,
  doc: 'Revokes an API key.',
})

export const listUsers = defineRoute({
  name: 'listUsers',
  method: 'GET',
  path: '/api/users',
  access: 'administrator',
  query: NoQuery,
  body: Nothing,
  responses: { 200: z.object({ users: z.array(User) }) },
  errors: [],
  tag,
  doc: 'Everybody who has an account.',
})

export const createUser = defineRoute({
  name: 'createUser',
  method: 'POST',
  path: '/api/users',
  access: 'administrator',
  query: NoQuery,
  body: z.strictObject({ email: z.email().max(254), name: Name, role: Role, password: Password.optional() }),
  responses: { 201: User.extend({ password: z.string().optional() }) },
  errors: ['invalid_request', 'conflict'],
  tag,
  doc: 'Makes an account. Without a password one is made and shown this once.',
})

export const updateUser = defineRoute({
  name: 'updateUser',
  method: 'PATCH',
  path: '/api/users/{id}',
  access: 'administrator',
  query: NoQuery,
  body: z.strictObject({ name: Name.optional(), role: Role.optional() }),
  responses: { 200: User },
  errors: ['invalid_request', 'not_found', 'conflict'],
  tag,
  doc: 'Changes a name or a role. The last administrator keeps that role.',
})

export const deleteUser = defineRoute({
  name: 'deleteUser',
  method: 'DELETE',
  path: '/api/users/{id}',
  access: 'administrator',
  query: NoQuery,
  body: Nothing,
  responses: { 204: null },
  errors: ['not_found', 'conflict'],
  tag,
  doc: 'Removes an account and ends its sign-ins. The last administrator cannot be removed.',
})

export const listAudit = defineRoute({
  name: 'listAudit',
  method: 'GET',
  path: '/api/audit',
  access: 'administrator',
  query: PageQuery,
  body: Nothing,
  responses: { 200: z.object({ entries: z.array(AuditEntry), next_cursor: NextCursor }) },
  errors: [],
  tag,
  doc: 'Who did what, when, from where; the latest first.',
})
