import * as z from 'zod'
import { defineRequest } from '../define.ts'
import { Actor } from '../model/actor.ts'
import { Id } from '../model/ids.ts'
import { ElicitationCard } from '../model/inbox.ts'

export const listElicitations = defineRequest({
  name: 'gateway.listElicitations',
  owner: 'mcp-gateway',
  callers: ['web'],
  subject: 'gateway.v1.elicitation.list',
  input: z.object({ actor: Actor }),
  output: z.object({ elicitations: z.array(ElicitationCard) }),
  errors: [],
  doc: 'What servers ask this person now. Cards hold no value, neither asked for nor given.',
})

export const findElicitation = defineRequest({
  name: 'gateway.findElicitation',
  owner: 'mcp-gateway',
  callers: ['web'],
  subject: 'gateway.v1.elicitation.find',
  input: z.object({ actor: Actor, elicitation: Id }),
  output: z.object({ instance: z.string(), seal: ElicitationCard.shape.seal }),
  errors: ['not_found', 'conflict'],
  doc: 'The instance that waits for an answer, and the key to seal it with. `conflict`: it was answered or withdrawn.',
})

export const answerElicitation = defineRequest({
  name: 'gateway.answerElicitation',
  owner: 'mcp-gateway',
  callers: ['web'],
  subject: 'gateway.v1.elicitation.answer.{instance}',
  input: z.object({
    actor: Actor,
    elicitation: Id,
    action: z.enum(['accept', 'decline', 'cancel']),
    /** The content, sealed to the instance's key and bound to the elicitation's id. */
    sealed: z.base64().optional(),
  }),
  output: z.object({}),
  errors: ['not_found', 'conflict', 'invalid_request'],
  doc: "A person's answer, given to the instance that asked and to nobody else. Answered once.",
})
