import * as z from 'zod'
import { defineRoute } from '../define.ts'
import { CatalogueEntry } from '../model/catalogue-entry.ts'
import { JsonObject } from '../model/json.ts'
import {
  Registration,
  RegistrationPatch,
  Server,
  ServerTest,
  ServerWithTools,
  ToolList,
} from '../model/server.ts'
import { CallResult, CallTimeoutMs, Tool } from '../model/tool.ts'
import { NoQuery, Nothing } from './empty.ts'

const tag = 'servers'

export const listServers = defineRoute({
  name: 'listServers',
  method: 'GET',
  path: '/api/servers',
  access: 'user',
  query: NoQuery,
  body: Nothing,
  responses: { 200: z.object({ servers: z.array(Server) }) },
  errors: [],
  tag,
  doc: 'The servers the person may use.',
})

export const registerServer = defineRoute({
  name: 'registerServer',
  method: 'POST',
  path: '/api/servers',
  access: 'user',
  query: NoQuery,
  body: Registration,
  responses: { 201: ServerWithTools },
  errors: [
    'invalid_request',
    'malformed_json',
    'forbidden',
    'server_name_taken',
    'variable_missing',
    'secret_unreadable',
    'too_large',
  ],
  tag,
  doc: 'Registers a server, or updates the own one of that name, and connects. A failed start is 201 with `state: "failed"` and `error`.',
})

export const testServer = defineRoute({
  name: 'testServer',
  method: 'POST',
  path: '/api/servers/test',
  access: 'user',
  query: NoQuery,
  body: Registration,
  responses: { 200: ServerTest },
  errors: ['invalid_request', 'forbidden'],
  tag,
  doc: 'Connects and lists without storing anything.',
})

export const listCatalogue = defineRoute({
  name: 'listCatalogue',
  method: 'GET',
  path: '/api/catalogue',
  access: 'user',
  query: NoQuery,
  body: Nothing,
  responses: { 200: z.object({ entries: z.array(CatalogueEntry) }) },
  errors: [],
  tag,
  doc: 'Servers that can be added with one click.',
})

export const getServer = defineRoute({
  name: 'getServer',
  method: 'GET',
  path: '/api/servers/{name}',
  access: 'user',
  query: NoQuery,
  body: Nothing,
  responses: { 200: Server },
  errors: ['server_not_found'],
  tag,
  doc: 'One server.',
})

export const updateServer = defineRoute({
  name: 'updateServer',
  method: 'PATCH',
  path: '/api/servers/{name}',
  access: 'user',
  query: NoQuery,
  body: RegistrationPatch,
  responses: { 200: ServerWithTools },
  errors: [
    'invalid_request',
    'forbidden',
    'server_not_found',
    'server_name_taken',
    'variable_missing',
    'secret_unreadable',
  ],
  tag,
  doc: 'Changes a server; in force before the answer.',
})

export const deleteServer = defineRoute({
  name: 'deleteServer',
  method: 'DELETE',
  path: '/api/servers/{name}',
  access: 'user',
  query: NoQuery,
  body: Nothing,
  responses: { 204: null },
  errors: ['forbidden', 'server_not_found'],
  tag,
  doc: 'Removes a server and everything it runs.',
})

export const restartServer = defineRoute({
  name: 'restartServer',
  method: 'POST',
  path: '/api/servers/{name}/restart',
  access: 'user',
  query: NoQuery,
  body: Nothing,
  responses: { 200: ServerWithTools },
  errors: ['forbidden', 'server_not_found', 'conflict'],
  tag,
  doc: 'Connects a server anew.',
})

export const listTools = defineRoute({
  name: 'listTools',
  method: 'GET',
  path: '/api/servers/{name}/tools',
  access: 'user',
  query: NoQuery,
  body: Nothing,
  responses: { 200: ToolList },
  errors: ['server_not_found'],
  tag,
  doc: 'The tools of a server, and those left out with the reason.',
})

export const acceptTool = defineRoute({
  name: 'acceptTool',
  method: 'POST',
  path: '/api/servers/{name}/tools/{tool}/accept',
  access: 'user',
  query: NoQuery,
  body: z.strictObject({ diff: z.string().max(200_000).optional() }),
  responses: { 200: Tool },
  errors: ['invalid_request', 'forbidden', 'server_not_found', 'tool_not_found', 'conflict'],
  tag,
  doc: 'Accepts a changed tool. With `diff`, a change that is not the one that was shown is a conflict.',
})

export const callTool = defineRoute({
  name: 'callTool',
  method: 'POST',
  path: '/api/servers/{name}/tools/{tool}/call',
  access: 'user',
  query: NoQuery,
  body: z.strictObject({ arguments: JsonObject.default({}), timeout_ms: CallTimeoutMs.optional() }),
  responses: { 200: CallResult },
  errors: [
    'invalid_request',
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
    'unavailable',
  ],
  tag,
  doc: 'Calls a tool. Closing the request cancels the call.',
})

const RELAY_ERRORS = [
  'server_not_found',
  'server_not_running',
  'needs_auth',
  'upstream_error',
  'protocol_error',
  'connection_lost',
  'result_too_large',
  'timeout',
  'unavailable',
] as const

export const listResources = defineRoute({
  name: 'listResources',
  method: 'GET',
  path: '/api/servers/{name}/resources',
  access: 'user',
  query: NoQuery,
  body: Nothing,
  responses: { 200: z.object({ resources: z.array(JsonObject), resource_templates: z.array(JsonObject) }) },
  errors: RELAY_ERRORS,
  tag,
  doc: 'The resources and resource templates of a server, as it describes them; none when it has none.',
})

export const readResource = defineRoute({
  name: 'readResource',
  method: 'POST',
  path: '/api/servers/{name}/resources/read',
  access: 'user',
  query: NoQuery,
  body: z.strictObject({ uri: z.string().min(1).max(8192) }),
  responses: { 200: z.object({ contents: z.array(JsonObject) }) },
  errors: ['invalid_request', ...RELAY_ERRORS],
  tag,
  doc: 'Reads a resource of a server.',
})

export const listPrompts = defineRoute({
  name: 'listPrompts',
  method: 'GET',
  path: '/api/servers/{name}/prompts',
  access: 'user',
  query: NoQuery,
  body: Nothing,
  responses: { 200: z.object({ prompts: z.array(JsonObject) }) },
  errors: RELAY_ERRORS,
  tag,
  doc: 'The prompts of a server; none when it has none.',
})

export const getPrompt = defineRoute({
  name: 'getPrompt',
  method: 'POST',
  path: '/api/servers/{name}/prompts/get',
  access: 'user',
  query: NoQuery,
  body: z.strictObject({
    name: z.string().min(1).max(256),
    arguments: z.record(z.string(), z.string()).default({}),
  }),
  responses: { 200: z.object({ description: z.string().optional(), messages: z.array(JsonObject) }) },
  errors: ['invalid_request', ...RELAY_ERRORS],
  tag,
  doc: 'Fills a prompt of a server with arguments.',
})

export const readLog = defineRoute({
  name: 'readLog',
  method: 'GET',
  path: '/api/servers/{name}/log',
  access: 'user',
  query: z.object({
    tail: z.coerce.number().int().min(1).max(10_000).default(500),
    level: z.string().max(16).optional(),
  }),
  body: Nothing,
  responses: { 200: z.string() },
  produces: 'text/plain',
  errors: ['server_not_found'],
  tag,
  doc: 'The log of a server as lines; with `Accept: text/event-stream` it follows.',
})
