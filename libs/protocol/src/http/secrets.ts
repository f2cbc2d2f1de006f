import * as z from 'zod'
import { defineRoute } from '../define.ts'
import { SecretInfo, SecretValue } from '../model/secret.ts'
import { NoQuery, Nothing } from './empty.ts'

const tag = 'secrets'

export const listSecrets = defineRoute({
  name: 'listSecrets',
  method: 'GET',
  path: '/api/secrets',
  access: 'user',
  query: NoQuery,
  body: Nothing,
  responses: { 200: z.object({ secrets: z.array(SecretInfo) }) },
  errors: [],
  tag,
  doc: 'The names of your secrets and the servers that use them.',
})

export const getSecret = defineRoute({
  name: 'getSecret',
  method: 'GET',
  path: '/api/secrets/{name}',
  access: 'user',
  query: NoQuery,
  body: Nothing,
  responses: { 200: SecretInfo },
  errors: ['not_found'],
  tag,
  doc: 'What is known of one secret. Its value cannot be read.',
})

export const setSecret = defineRoute({
  name: 'setSecret',
  method: 'PUT',
  path: '/api/secrets/{name}',
  access: 'user',
  query: NoQuery,
  body: z.strictObject({ value: SecretValue }),
  responses: { 200: SecretInfo },
  errors: ['invalid_request', 'malformed_json', 'forbidden', 'conflict', 'too_large'],
  tag,
  doc: 'Stores or replaces a secret; servers that use it are connected anew.',
})

export const deleteSecret = defineRoute({
  name: 'deleteSecret',
  method: 'DELETE',
  path: '/api/secrets/{name}',
  access: 'user',
  query: z.object({ force: z.enum(['true', 'false']).default('false') }),
  body: Nothing,
  responses: { 204: null },
  errors: ['invalid_request', 'forbidden', 'not_found', 'conflict'],
  tag,
  doc: 'Removes a secret. While a server uses it this is a conflict, unless `force=true`.',
})
