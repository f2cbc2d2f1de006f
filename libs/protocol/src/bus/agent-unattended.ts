import * as z from 'zod'
import { defineRequest } from '../define.ts'
import { Actor } from '../model/actor.ts'
import { Id, UserId } from '../model/ids.ts'

export const startUnattendedTurn = defineRequest({
  name: 'agent.startUnattendedTurn',
  owner: 'agent',
  callers: ['tic-worker'],
  subject: 'agent.v1.unattended.start',
  input: z.object({
    actor: Actor,
    schedule_id: Id,
    run_id: Id,
    agent: z.string().min(1).max(64),
    prompt: z.string().min(1).max(20_000),
    title: z.string().max(200),
  }),
  output: z.object({ session_id: Id, turn_id: Id }),
  errors: ['not_found', 'no_model', 'conflict'],
  doc: 'Opens a chat and queues a turn that nobody watches. The same run id again answers with the same turn.',
})

export const listUnattendedTurns = defineRequest({
  name: 'agent.listUnattendedTurns',
  owner: 'agent',
  callers: ['tic-worker'],
  subject: 'agent.v1.unattended.list',
  input: z.object({ turns: z.array(z.object({ user: UserId, turn_id: Id })).max(200) }),
  output: z.object({
    turns: z.array(
      z.object({
        turn_id: Id,
        state: z.enum(['queued', 'running', 'waiting', 'done', 'stopped', 'failed']),
        error: z.string().optional(),
      }),
    ),
  }),
  errors: [],
  doc: 'How unattended turns are going. A turn that is not in the answer was removed with its chat.',
})
