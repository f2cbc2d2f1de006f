import * as z from 'zod'
import { defineRequest } from '../define.ts'
import { Actor } from '../model/actor.ts'
import { UserId } from '../model/ids.ts'
import { ServerName } from '../model/server.ts'

const Address = z.url({ protocol: /^https?$/ }).max(2048)
const named = z.object({ actor: Actor, name: ServerName })

export const startOauth = defineRequest({
  name: 'gateway.startOauth',
  owner: 'mcp-gateway',
  callers: ['web'],
  subject: 'gateway.v1.oauth.start',
  input: named.extend({ redirect_url: Address, client_metadata_url: Address.optional() }),
  output: z.object({ authorization_url: Address }),
  errors: [
    'server_not_found',
    'forbidden',
    'invalid_request',
    'variable_missing',
    'address_not_allowed',
    'start_failed',
    'protocol_error',
    'upstream_error',
    'too_large',
    'unavailable',
  ],
  doc: "Finds out who gives access to a server and where to send a person for their consent. A shared server's is the administrators' to give.",
})

export const finishOauth = defineRequest({
  name: 'gateway.finishOauth',
  owner: 'mcp-gateway',
  callers: ['web'],
  subject: 'gateway.v1.oauth.finish',
  input: z.object({
    state: z.string().min(1).max(256),
    answer: z.object({
      code: z.string().max(8192).optional(),
      iss: z.string().max(2048).optional(),
      error: z.string().max(256).optional(),
      error_description: z.string().max(4096).optional(),
    }),
    /** Who is signed in where the answer came; nobody else's consent is taken from there. */
    person: UserId.optional(),
  }),
  output: z.object({ name: ServerName }),
  errors: [
    'not_found',
    'forbidden',
    'invalid_request',
    'variable_missing',
    'address_not_allowed',
    'start_failed',
    'protocol_error',
    'upstream_error',
    'too_large',
    'unavailable',
  ],
  doc: "Redeems what a person's browser brought back, and connects the server with it. A state is good once, for ten minutes.",
})

export const forgetOauth = defineRequest({
  name: 'gateway.forgetOauth',
  owner: 'mcp-gateway',
  callers: ['web'],
  subject: 'gateway.v1.oauth.forget',
  input: named,
  output: z.object({}),
  errors: ['server_not_found', 'forbidden', 'invalid_request', 'variable_missing'],
  doc: 'Forgets the tokens for a server, and takes them back at its authorization server where that is offered.',
})
