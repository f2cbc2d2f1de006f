import * as z from 'zod'
import { Id, Timestamp, UserId } from './ids.ts'
import { Failure } from './problem.ts'
import { CallTimeoutMs, Tool, ToolProblem } from './tool.ts'

const RESERVED = new Set(['config', 'althing', 'mcp', 'plugins', 'cron', 'agents', 'test'])

/** Unique for its owner. Lower case, digits and hyphens, because it is part of tool names and addresses. */
export const ServerName = z
  .string()
  .regex(/^[a-z0-9-]{1,32}$/, 'use 1 to 32 of a-z, 0-9 and "-"')
  .refine((name) => !RESERVED.has(name), 'this name is reserved')
  .meta({ id: 'ServerName' })

export const ServerScope = z.enum(['shared', 'personal']).meta({ id: 'ServerScope' })
export const ServerIdentity = z.enum(['one-for-all', 'per-user']).meta({ id: 'ServerIdentity' })
/** What stands between a server's program and the host; `none` for a server that runs elsewhere. */
export const Isolation = z.enum(['none', 'process', 'sandbox']).meta({ id: 'Isolation' })
export type Isolation = z.infer<typeof Isolation>
/** What a registration asks for: `auto` leaves it to the instance, `sandbox` refuses to start below it. */
export const IsolationChoice = z.enum(['auto', 'process', 'sandbox']).meta({ id: 'IsolationChoice' })
export type IsolationChoice = z.infer<typeof IsolationChoice>
const Text = (most: number) => z.string().max(most)
const HeaderName = z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,128}$/, 'not an HTTP header name')
const HeaderValue = z
  .string()
  .max(8192)
  .regex(/^[^\r\n\0]*$/, 'a header value holds no line break')
const EnvName = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,127}$/, 'not a variable name')

const common = {
  name: ServerName,
  friendly_name: Text(80).optional(),
  description: Text(500).optional(),
  scope: ServerScope.optional(),
  identity: ServerIdentity.optional(),
  enabled: z.boolean().optional(),
  call_timeout_ms: CallTimeoutMs.optional(),
  start_timeout_ms: z.int().min(100).max(600_000).optional(),
  /** What becomes of a changed tool: held back until accepted, used with a mark, or used. */
  pin_policy: z.enum(['hold', 'warn', 'accept']).optional(),
  /** Declare sampling and roots to the server, and relay them to MCP clients that offer them. */
  relays: z.boolean().optional(),
  event_methods: z.array(Text(128).min(1)).max(32).optional(),
}

const stdio = {
  command: Text(1024).min(1, 'give the program to start'),
  args: z.array(Text(8192)).max(128).optional(),
  env: z.record(EnvName, Text(32_768)).optional(),
  cwd: Text(1024).optional(),
  isolation: IsolationChoice.optional(),
}

/** How to sign in to a server, where it is arranged or narrowed; without it all is found out. */
const OAuthSettings = z
  .strictObject({
    client_id: Text(2048).min(1).optional(),
    client_secret: Text(8192).optional(),
    issuer: z
      .url({ protocol: /^https?$/ })
      .max(2048)
      .optional(),
    scopes: z
      .array(Text(256).regex(/^[\x21\x23-\x5b\x5d-\x7e]+$/, 'not a scope'))
      .max(64)
      .optional(),
  })
  .refine(({ client_id, client_secret }) => client_secret === undefined || client_id !== undefined, {
    path: ['client_id'],
    error: 'a secret belongs to a client',
  })

const http = {
  url: z.url({ protocol: /^https?$/, error: 'give an http:// or https:// address' }).max(2048),
  api_key: Text(8192).optional(),
  headers: z.record(HeaderName, HeaderValue).optional(),
  oauth: OAuthSettings.optional(),
}

/** The address may hold `${VAR}`, so it is checked as a URL only after the variables are filled in. */
const httpTemplate = { ...http, url: Text(2048).min(1, 'give the address of the server') }

/** What a person gives to register a server. `sse` is `http` with the old HTTP+SSE wire as a fallback. */
export const Registration = z
  .discriminatedUnion('transport', [
    z.strictObject({ ...common, transport: z.literal('stdio'), ...stdio }),
    z.strictObject({ ...common, transport: z.literal('http'), ...httpTemplate }),
    z.strictObject({ ...common, transport: z.literal('sse'), ...httpTemplate }),
  ])
  .meta({ id: 'Registration' })
export type Registration = z.infer<typeof Registration>

/** A change of a registered server: any field of its registration but the name. */
export const RegistrationPatch = z
  .strictObject({ ...common, ...stdio, ...httpTemplate, transport: z.enum(['stdio', 'http', 'sse']) })
  .omit({ name: true })
  .partial()
  .meta({ id: 'RegistrationPatch' })
export type RegistrationPatch = z.infer<typeof RegistrationPatch>

export const ServerState = z
  .enum(['disabled', 'starting', 'running', 'needs_auth', 'backing_off', 'failed', 'stopping'])
  .meta({ id: 'ServerState' })
export type ServerState = z.infer<typeof ServerState>

/** A server as people see it. Values of `env` and `headers` are never shown: they may be secrets. */
export const Server = z
  .object({
    id: Id,
    name: ServerName,
    friendly_name: z.string(),
    description: z.string(),
    transport: z.enum(['stdio', 'http', 'sse']),
    command: z.string().optional(),
    args: z.array(z.string()).optional(),
    env: z.record(z.string(), z.literal('***')).optional(),
    cwd: z.string().optional(),
    url: z.string().optional(),
    headers: z.record(z.string(), z.literal('***')).optional(),
    has_api_key: z.boolean(),
    scope: ServerScope,
    identity: ServerIdentity,
    owner: UserId,
    enabled: z.boolean(),
    state: ServerState,
    state_since: Timestamp,
    next_try_at: Timestamp.optional(),
    error: Failure.optional(),
    era: z.enum(['legacy', 'modern']).optional(),
    protocol_version: z.string().optional(),
    tool_count: z.int(),
    isolation: Isolation,
    replica: z.string().optional(),
    created_at: Timestamp,
  })
  .meta({ id: 'Server' })
export type Server = z.infer<typeof Server>

export const ToolList = z
  .object({ tools: z.array(Tool), problems: z.array(ToolProblem) })
  .meta({ id: 'ToolList' })
export type ToolList = z.infer<typeof ToolList>

export const ServerWithTools = Server.extend(ToolList.shape).meta({ id: 'ServerWithTools' })
export type ServerWithTools = z.infer<typeof ServerWithTools>

/** The outcome of a connection that was tried and thrown away. */
export const ServerTest = z
  .object({
    ok: z.boolean(),
    era: z.enum(['legacy', 'modern']).optional(),
    protocol_version: z.string().optional(),
    isolation: Isolation.optional(),
    tools: z.array(Tool),
    log: z.array(z.string()),
    error: Failure.optional(),
  })
  .meta({ id: 'ServerTest' })
export type ServerTest = z.infer<typeof ServerTest>
