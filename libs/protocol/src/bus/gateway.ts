import * as z from 'zod'
import { defineEvent, defineRequest, defineStream } from '../define.ts'
import { Actor } from '../model/actor.ts'
import { CatalogueEntry } from '../model/catalogue-entry.ts'
import { ServerEventBatch } from '../model/event.ts'
import { Id } from '../model/ids.ts'
import { JsonObject } from '../model/json.ts'
import { LiveEvent } from '../model/live.ts'
import { LogLine } from '../model/log.ts'
import { CallerSide, CallFrame, CallRetry } from '../model/relay.ts'
import {
  Registration,
  RegistrationPatch,
  Server,
  ServerName,
  ServerState,
  ServerTest,
  ServerWithTools,
  ToolList,
} from '../model/server.ts'
import { CallResult, CallTimeoutMs, Tool } from '../model/tool.ts'
import { LIVE_STREAM } from './live-stream.ts'

const named = z.object({ actor: Actor, name: ServerName })

export const registerServer = defineRequest({
  name: 'gateway.registerServer',
  owner: 'mcp-gateway',
  callers: ['web', 'agent'],
  subject: 'gateway.v1.server.register',
  input: z.object({ actor: Actor, registration: Registration }),
  output: ServerWithTools,
  errors: ['invalid_request', 'forbidden', 'server_name_taken', 'variable_missing', 'secret_unreadable'],
  doc: 'Stores a server, or updates the one of that name, connects it, and answers with its state and tools.',
})

export const testServer = defineRequest({
  name: 'gateway.testServer',
  owner: 'mcp-gateway',
  callers: ['web'],
  subject: 'gateway.v1.server.test',
  input: z.object({ actor: Actor, registration: Registration }),
  output: ServerTest,
  errors: ['invalid_request', 'forbidden'],
  doc: 'Connects, lists, disconnects; stores nothing.',
})

export const listServers = defineRequest({
  name: 'gateway.listServers',
  owner: 'mcp-gateway',
  callers: ['web', 'agent'],
  subject: 'gateway.v1.server.list',
  input: z.object({ actor: Actor }),
  output: z.object({ servers: z.array(Server) }),
  errors: [],
  doc: 'The servers a person may use: the shared ones and their own.',
})

export const getServer = defineRequest({
  name: 'gateway.getServer',
  owner: 'mcp-gateway',
  callers: ['web', 'agent'],
  subject: 'gateway.v1.server.get',
  input: named,
  output: Server,
  errors: ['server_not_found'],
  doc: 'One server by its name.',
})

export const updateServer = defineRequest({
  name: 'gateway.updateServer',
  owner: 'mcp-gateway',
  callers: ['web', 'agent'],
  subject: 'gateway.v1.server.update',
  input: named.extend({ patch: RegistrationPatch }),
  output: ServerWithTools,
  errors: [
    'invalid_request',
    'forbidden',
    'server_not_found',
    'server_name_taken',
    'variable_missing',
    'secret_unreadable',
  ],
  doc: 'Changes a server; the change is in force before the answer. `enabled: false` stops it.',
})

export const deleteServer = defineRequest({
  name: 'gateway.deleteServer',
  owner: 'mcp-gateway',
  callers: ['web', 'agent'],
  subject: 'gateway.v1.server.delete',
  input: named,
  output: z.object({}),
  errors: ['forbidden', 'server_not_found'],
  doc: 'Removes a server, ends its connections and kills its whole process tree.',
})

export const restartServer = defineRequest({
  name: 'gateway.restartServer',
  owner: 'mcp-gateway',
  callers: ['web'],
  subject: 'gateway.v1.server.restart',
  input: named,
  output: ServerWithTools,
  errors: ['forbidden', 'server_not_found', 'conflict'],
  doc: 'Ends the connections of a server and connects them anew, with a clean count of attempts.',
})

export const listTools = defineRequest({
  name: 'gateway.listTools',
  owner: 'mcp-gateway',
  callers: ['web', 'agent'],
  subject: 'gateway.v1.tool.list',
  input: named,
  output: ToolList.extend({ server_id: Id }),
  errors: ['server_not_found'],
  doc: 'The tools of one server, as last listed, with those left out and why.',
})

export const acceptTool = defineRequest({
  name: 'gateway.acceptTool',
  owner: 'mcp-gateway',
  callers: ['web'],
  subject: 'gateway.v1.tool.accept',
  input: named.extend({ tool: z.string().min(1).max(256), diff: z.string().optional() }),
  output: Tool,
  errors: ['forbidden', 'server_not_found', 'tool_not_found', 'conflict'],
  doc: 'Accepts a changed tool; with `diff`, only while the difference is still the one that was shown.',
})

export const listCatalogue = defineRequest({
  name: 'gateway.listCatalogue',
  owner: 'mcp-gateway',
  callers: ['web'],
  subject: 'gateway.v1.catalogue.list',
  input: z.object({ actor: Actor }),
  output: z.object({ entries: z.array(CatalogueEntry) }),
  errors: [],
  doc: 'Servers that come with the product and can be added with one click.',
})

export const ensureConnection = defineRequest({
  name: 'gateway.ensureConnection',
  owner: 'mcp-gateway',
  callers: ['web', 'agent'],
  subject: 'gateway.v1.connection.ensure',
  input: named,
  output: z.object({ connection: Id, server_id: Id }),
  errors: ['server_not_found', 'server_not_running', 'needs_auth', 'unavailable'],
  doc: "The connection that serves this person's calls of a server, once some gateway owns it.",
})

export const callTool = defineStream({
  name: 'gateway.callTool',
  owner: 'mcp-gateway',
  callers: ['web', 'agent'],
  subject: 'gateway.v1.tool.call.{connection}',
  input: z.object({
    actor: Actor,
    call_id: Id,
    tool: z.string().min(1),
    arguments: JsonObject,
    timeout_ms: CallTimeoutMs.optional(),
    session_id: Id.optional(),
    /** `raw`: the final answer is a RawOutcome in place of a CallResult. */
    form: z.enum(['read', 'raw']).optional(),
    side: CallerSide.optional(),
    retry: CallRetry.optional(),
    progress: z.boolean().optional(),
  }),
  progress: CallFrame,
  output: CallResult,
  errors: [
    'server_not_found',
    'tool_not_found',
    'tool_changed',
    'server_not_running',
    'needs_auth',
    'upstream_error',
    'protocol_error',
    'connection_lost',
    'result_too_large',
    'timeout',
    'cancelled',
    'owner_lost',
    'unavailable',
    'too_large',
  ],
  doc: 'Calls one tool. Served only by the owner of the connection: nobody answers when nobody owns it.',
})

export const readLog = defineRequest({
  name: 'gateway.readLog',
  owner: 'mcp-gateway',
  callers: ['web'],
  subject: 'gateway.v1.log.read',
  input: named.extend({ tail: z.int().min(1).max(10_000), level: z.string().max(16).optional() }),
  output: z.object({ server_id: Id, lines: z.array(LogLine) }),
  errors: ['server_not_found'],
  doc: "The last lines of a server's log, oldest first.",
})

export const serverNotified = defineEvent({
  name: 'gateway.serverNotified',
  owner: 'mcp-gateway',
  consumers: ['tic-worker'],
  subject: 'gateway.v1.server.notified.{server}',
  payload: ServerEventBatch,
  stream: {
    name: 'INTAKE',
    retention: 'work',
    storage: 'file',
    maxAgeSeconds: 0,
    maxBytes: 1_073_741_824,
  },
  doc: 'Events that a server pushed. Kept until they are stored by the event owner; message id = first event id.',
})

export const logWritten = defineEvent({
  name: 'gateway.logWritten',
  owner: 'mcp-gateway',
  consumers: ['mcp-gateway', 'web'],
  subject: 'gateway.v1.log.written.{server}',
  payload: z.object({ lines: z.array(LogLine).min(1) }),
  stream: {
    name: 'LOGS',
    retention: 'window',
    storage: 'file',
    maxAgeSeconds: 2_592_000,
    maxBytes: 536_870_912,
    maxMessagesPerSubject: 20_000,
  },
  doc: "Lines of a server's log, in the order they came.",
})

export const registryChanged = defineEvent({
  name: 'gateway.registryChanged',
  owner: 'mcp-gateway',
  consumers: ['mcp-gateway'],
  subject: 'gateway.v1.registry.changed.{server}',
  payload: z.object({ server: Id.optional() }),
  stream: null,
  doc: 'A row of the registry changed; every gateway reconciles its connections with it.',
})

export const connectionChanged = defineEvent({
  name: 'gateway.connectionChanged',
  owner: 'mcp-gateway',
  consumers: ['mcp-gateway'],
  subject: 'gateway.v1.connection.changed.{connection}',
  payload: z.object({ state: ServerState }),
  stream: null,
  doc: 'A connection reached another state; whoever waits for it looks again.',
})

export const gatewayLive = defineEvent({
  name: 'gateway.live',
  owner: 'mcp-gateway',
  consumers: ['web'],
  subject: 'gateway.v1.live.published.{user}',
  payload: LiveEvent,
  stream: LIVE_STREAM,
  doc: "What a person's open pages are told by the gateway. The user `all` is everybody.",
})
