import * as z from 'zod'
import { defineBucket, defineEvent, defineRequest, defineStream } from '../define.ts'
import { Actor } from '../model/actor.ts'
import { Id } from '../model/ids.ts'
import { JsonObject } from '../model/json.ts'
import { CallerSide, CallFrame, RawOutcome, ServerMethod } from '../model/relay.ts'
import { ServerName, ServerState } from '../model/server.ts'
import { CallResult, CallTimeoutMs, Tool } from '../model/tool.ts'

/** What a person's servers offer to a client that speaks MCP, one server each. */
const Offer = z.object({
  server_id: Id,
  name: ServerName,
  friendly_name: z.string(),
  description: z.string(),
  state: ServerState,
  instructions: z.string().optional(),
  capabilities: JsonObject.optional(),
  tools: z.array(Tool),
})
export type Offer = z.infer<typeof Offer>

export const requestServer = defineStream({
  name: 'gateway.requestServer',
  owner: 'mcp-gateway',
  callers: ['web', 'agent'],
  subject: 'gateway.v1.server.request.{connection}',
  input: z.object({
    actor: Actor,
    call_id: Id,
    method: ServerMethod,
    params: JsonObject,
    side: CallerSide.optional(),
    timeout_ms: CallTimeoutMs.optional(),
  }),
  progress: CallFrame,
  output: RawOutcome,
  errors: [
    'server_not_found',
    'server_not_running',
    'needs_auth',
    'protocol_error',
    'connection_lost',
    'result_too_large',
    'timeout',
    'cancelled',
    'owner_lost',
    'unavailable',
    'too_large',
  ],
  doc: 'Passes a request about resources, prompts or completion to a server; served by the owner of the connection.',
})

export const awaitTask = defineStream({
  name: 'gateway.awaitTask',
  owner: 'mcp-gateway',
  callers: ['web', 'agent'],
  subject: 'gateway.v1.task.await',
  input: z.object({ actor: Actor, call_id: Id }),
  progress: CallFrame,
  output: CallResult,
  errors: [
    'not_found',
    'upstream_error',
    'timeout',
    'cancelled',
    'protocol_error',
    'owner_lost',
    'unavailable',
  ],
  doc: 'Waits for the outcome of a call whose stream was lost. `not_found`: the call was not a task of its server.',
})

export const answerAsk = defineRequest({
  name: 'gateway.answerAsk',
  owner: 'mcp-gateway',
  callers: ['web'],
  subject: 'gateway.v1.ask.answer.{instance}',
  input: z.object({ actor: Actor, ask: Id, result: z.unknown().optional(), refused: z.boolean().optional() }),
  output: z.object({}),
  errors: ['not_found'],
  doc: 'The answer of an MCP client to what a server asked during its call, given to the instance that asked.',
})

export const listOffers = defineRequest({
  name: 'gateway.listOffers',
  owner: 'mcp-gateway',
  callers: ['web'],
  subject: 'gateway.v1.offer.list',
  input: z.object({ actor: Actor, name: ServerName.optional() }),
  output: z.object({ offers: z.array(Offer) }),
  errors: ['server_not_found'],
  doc: 'Everything that the servers of a person offer, or one of them.',
})

export const offerChanged = defineEvent({
  name: 'gateway.offerChanged',
  owner: 'mcp-gateway',
  consumers: ['web', 'mcp-gateway'],
  subject: 'gateway.v1.offer.changed.{server}',
  payload: z.object({
    server: Id,
    what: z.enum(['tools', 'prompts', 'resources', 'resource', 'elicitation']),
    params: JsonObject.optional(),
  }),
  stream: null,
  doc: 'What a server offers changed: whoever keeps a list of it looks again.',
})

export const findMedia = defineRequest({
  name: 'gateway.findMedia',
  owner: 'mcp-gateway',
  callers: ['web', 'agent'],
  subject: 'gateway.v1.media.find',
  input: z.object({ actor: Actor, media: Id }),
  output: z.object({ mime_type: z.string(), extension: z.string(), bytes: z.int() }),
  errors: ['not_found'],
  doc: 'Whether a person may see the bytes that came with a call, and what they are; their object has the same id.',
})

export const payloadBucket = defineBucket({
  name: 'PAYLOADS',
  owner: 'mcp-gateway',
  readers: ['web', 'agent'],
  maxAgeSeconds: 900,
  maxBytes: 2_147_483_648,
  doc: 'Answers of the gateway that are larger than a message may be, until their caller has fetched them.',
})

export const mediaBucket = defineBucket({
  name: 'MEDIA',
  owner: 'mcp-gateway',
  readers: ['web', 'agent'],
  maxAgeSeconds: 7_776_000,
  maxBytes: 4_294_967_296,
  doc: 'Bytes that came with results of tools.',
})
