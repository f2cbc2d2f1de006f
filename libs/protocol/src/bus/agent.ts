import * as z from 'zod'
import { defineEvent, defineRequest, defineStream } from '../define.ts'
import { Actor } from '../model/actor.ts'
import { TriageAnswer } from '../model/briefing.ts'
import { ServerEvent } from '../model/event.ts'
import { Id, UserId } from '../model/ids.ts'
import { LiveEvent } from '../model/live.ts'
import { NextCursor, PageQuery } from '../model/page.ts'
import { Message, ModelList, Session, SessionSummary } from '../model/session.ts'
import { LIVE_STREAM } from './live-stream.ts'

const ofSession = z.object({ actor: Actor, session: Id })

export const createSession = defineRequest({
  name: 'agent.createSession',
  owner: 'agent',
  callers: ['web'],
  subject: 'agent.v1.session.create',
  input: z.object({ actor: Actor, agent: z.string().max(64).default('main') }),
  output: z.object({ id: Id }),
  errors: ['not_found'],
  doc: 'Opens a chat with an agent.',
})

export const listSessions = defineRequest({
  name: 'agent.listSessions',
  owner: 'agent',
  callers: ['web'],
  subject: 'agent.v1.session.list',
  input: z.object({ actor: Actor, page: PageQuery }),
  output: z.object({ sessions: z.array(SessionSummary), next_cursor: NextCursor }),
  errors: [],
  doc: "A person's chats, the latest first.",
})

export const getSession = defineRequest({
  name: 'agent.getSession',
  owner: 'agent',
  callers: ['web'],
  subject: 'agent.v1.session.get',
  input: ofSession,
  output: Session,
  errors: ['session_not_found'],
  doc: 'One chat with its messages, calls and grants.',
})

export const deleteSession = defineRequest({
  name: 'agent.deleteSession',
  owner: 'agent',
  callers: ['web'],
  subject: 'agent.v1.session.delete',
  input: ofSession,
  output: z.object({}),
  errors: ['session_not_found'],
  doc: 'Stops what runs in a chat and removes it with all it holds.',
})

export const sendMessage = defineRequest({
  name: 'agent.sendMessage',
  owner: 'agent',
  callers: ['web'],
  subject: 'agent.v1.message.send',
  input: ofSession.extend({ content: z.string().min(1).max(200_000) }),
  output: z.object({ message_id: Id, turn_id: Id, message: Message }),
  errors: ['session_not_found', 'no_model'],
  doc: 'Stores a message. It starts a turn, or enters the running one at its next round.',
})

export const stopTurn = defineRequest({
  name: 'agent.stopTurn',
  owner: 'agent',
  callers: ['web'],
  subject: 'agent.v1.turn.stop',
  input: ofSession,
  output: z.object({ stopped: z.boolean() }),
  errors: ['session_not_found'],
  doc: 'Ends the running turn: model request and calls are cancelled, text so far is kept.',
})

export const revokeGrant = defineRequest({
  name: 'agent.revokeGrant',
  owner: 'agent',
  callers: ['web'],
  subject: 'agent.v1.grant.revoke',
  input: ofSession.extend({ group: z.string().min(1).max(64) }),
  output: z.object({ grants: z.array(z.string()) }),
  errors: ['session_not_found'],
  doc: 'Takes a tool group from a chat; in force from the next round.',
})

export const listModels = defineRequest({
  name: 'agent.listModels',
  owner: 'agent',
  callers: ['web'],
  subject: 'agent.v1.model.list',
  input: z.object({ actor: Actor }),
  output: ModelList,
  errors: [],
  doc: 'The models a turn can use, and the default one. No default: no model is connected.',
})

export const setDefaultModel = defineRequest({
  name: 'agent.setDefaultModel',
  owner: 'agent',
  callers: ['web'],
  subject: 'agent.v1.model.set-default',
  input: z.object({ actor: Actor, model: z.string().max(200) }),
  output: ModelList,
  errors: ['not_found', 'forbidden'],
  doc: 'Chooses the default model of the instance.',
})

export const runTriage = defineStream({
  name: 'agent.runTriage',
  owner: 'agent',
  callers: ['tic-worker'],
  subject: 'agent.v1.triage.run',
  input: z.object({
    user: UserId,
    batch_id: Id,
    events: z.array(ServerEvent).min(1).max(50),
    rules: z.array(z.object({ id: Id, text: z.string(), action: z.enum(['always', 'never', 'custom']) })),
  }),
  progress: z.object({ round: z.int() }),
  output: TriageAnswer,
  errors: ['no_model', 'model_error', 'cancelled'],
  doc: "Runs a turn of the triage agent over a batch of a person's events.",
})

export const turnQueued = defineEvent({
  name: 'agent.turnQueued',
  owner: 'agent',
  consumers: ['agent'],
  subject: 'agent.v1.turn.queued',
  payload: z.object({ turn_id: Id }),
  stream: null,
  doc: 'A turn waits for a worker. The row is the truth; this only saves the wait for the next look.',
})

export const turnStopRequested = defineEvent({
  name: 'agent.turnStopRequested',
  owner: 'agent',
  consumers: ['agent'],
  subject: 'agent.v1.turn.stop-requested',
  payload: z.object({ turn_id: Id }),
  stream: null,
  doc: 'A person wants a turn to end; the worker that runs it aborts.',
})

export const agentLive = defineEvent({
  name: 'agent.live',
  owner: 'agent',
  consumers: ['web'],
  subject: 'agent.v1.live.published.{user}',
  payload: LiveEvent,
  stream: LIVE_STREAM,
  doc: "What a person's open pages are told by the agent.",
})
