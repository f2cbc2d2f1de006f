import * as z from 'zod'
import { defineRoute } from '../define.ts'
import { NoQuery, Nothing } from './empty.ts'

const tag = 'servers'

export const startOauth = defineRoute({
  name: 'startOauth',
  method: 'POST',
  path: '/api/servers/{name}/oauth/start',
  access: 'user',
  query: NoQuery,
  body: Nothing,
  responses: { 200: z.object({ authorization_url: z.string() }) },
  errors: [
    'server_not_found',
    'forbidden',
    'invalid_request',
    'variable_missing',
    'address_not_allowed',
    'start_failed',
    'protocol_error',
    'upstream_error',
    'unavailable',
  ],
  tag,
  doc: 'Begins a sign-in to a server: send the browser to `authorization_url` within ten minutes.',
})

export const forgetOauth = defineRoute({
  name: 'forgetOauth',
  method: 'DELETE',
  path: '/api/servers/{name}/oauth',
  access: 'user',
  query: NoQuery,
  body: Nothing,
  responses: { 204: null },
  errors: ['server_not_found', 'forbidden', 'invalid_request', 'variable_missing'],
  tag,
  doc: 'Forgets the tokens for a server and revokes them where that is offered.',
})

const Parameter = (most: number) => z.string().max(most).optional()

export const finishOauth = defineRoute({
  name: 'finishOauth',
  method: 'GET',
  path: '/api/oauth/callback',
  access: 'public',
  query: z.object({
    state: z.string().min(1).max(256),
    code: Parameter(8192),
    iss: Parameter(2048),
    error: Parameter(256),
    error_description: Parameter(4096),
  }),
  body: Nothing,
  responses: { 200: z.string() },
  produces: 'text/html',
  errors: ['invalid_request'],
  tag,
  doc: "Where authorization servers send browsers back to. Answers with a redirect to the server's page, or with a page that says what went wrong.",
})

export const getOauthClient = defineRoute({
  name: 'getOauthClient',
  method: 'GET',
  path: '/api/oauth/client',
  access: 'public',
  query: NoQuery,
  body: Nothing,
  responses: {
    200: z.object({
      client_id: z.string(),
      client_name: z.string(),
      redirect_uris: z.array(z.string()),
      grant_types: z.array(z.string()),
      response_types: z.array(z.string()),
      application_type: z.string(),
      token_endpoint_auth_method: z.string(),
    }),
  },
  errors: ['invalid_request'],
  tag,
  doc: 'What this instance is as an OAuth client, for authorization servers that look it up (Client ID Metadata Document). Its address is offered as a client id only where it is https.',
})
