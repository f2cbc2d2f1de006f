import * as z from 'zod'
import { defineRequest } from '../define.ts'
import { Actor } from '../model/actor.ts'
import { SecretInfo, SecretName, SecretValue } from '../model/secret.ts'

const named = z.object({ actor: Actor, name: SecretName })

export const setSecret = defineRequest({
  name: 'gateway.setSecret',
  owner: 'mcp-gateway',
  callers: ['web', 'agent'],
  subject: 'gateway.v1.secret.set',
  input: named.extend({ value: SecretValue }),
  output: SecretInfo,
  errors: ['invalid_request', 'forbidden', 'conflict'],
  doc: "Stores or replaces one of the person's secrets and connects the servers that use it anew.",
})

export const listSecrets = defineRequest({
  name: 'gateway.listSecrets',
  owner: 'mcp-gateway',
  callers: ['web', 'agent'],
  subject: 'gateway.v1.secret.list',
  input: z.object({ actor: Actor }),
  output: z.object({ secrets: z.array(SecretInfo) }),
  errors: [],
  doc: "The names of the person's secrets and what uses them; never a value.",
})

export const deleteSecret = defineRequest({
  name: 'gateway.deleteSecret',
  owner: 'mcp-gateway',
  callers: ['web', 'agent'],
  subject: 'gateway.v1.secret.delete',
  input: named.extend({ force: z.boolean() }),
  output: z.object({}),
  errors: ['forbidden', 'not_found', 'conflict'],
  doc: 'Removes a secret. One that a server uses is kept, unless `force` is set.',
})
