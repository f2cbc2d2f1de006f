import type { IncomingHttpHeaders } from 'node:http'
import {
  HEADER_MISMATCH,
  INVALID_PARAMS,
  type Json,
  type Message,
  MODERN,
  objectOf,
  RpcError,
  UNSUPPORTED_VERSION,
} from './message.ts'

const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion'
const CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities'
const LOG_LEVEL_KEY = 'io.modelcontextprotocol/logLevel'

/** Which parameter the `Mcp-Name` header repeats. */
const NAMED_BY: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
}

/** What every request of the 2026-07-28 era says of itself. */
export interface Envelope {
  readonly capabilities: Json
  readonly logLevel: string | undefined
}

/** Whether a message is of the 2026-07-28 era, by what it says or by its header. */
export function isModern({ params }: Message, headers: IncomingHttpHeaders): boolean {
  return typeof objectOf(params._meta)[VERSION_KEY] === 'string' || headers['mcp-protocol-version'] === MODERN
}

/** Checks a request against its headers. Throws the `RpcError` that the specification names. */
export function readEnvelope({ method = '', params }: Message, headers: IncomingHttpHeaders): Envelope {
  const meta = objectOf(params._meta)
  const version = meta[VERSION_KEY]
  if (typeof version !== 'string') throw new RpcError(INVALID_PARAMS, `_meta: ${VERSION_KEY} is missing`)
  const named = headers['mcp-protocol-version']
  if (named !== version)
    throw new RpcError(
      HEADER_MISMATCH,
      `MCP-Protocol-Version is ${named ?? 'missing'}, the body says ${version}`,
    )
  if (version !== MODERN)
    throw new RpcError(UNSUPPORTED_VERSION, `The version ${version} is not supported`, {
      supported: [MODERN],
      requested: version,
    })
  const capabilities = meta[CAPABILITIES_KEY]
  if (typeof capabilities !== 'object' || capabilities === null)
    throw new RpcError(INVALID_PARAMS, `_meta: ${CAPABILITIES_KEY} is missing`)
  if (headers['mcp-method'] !== method)
    throw new RpcError(
      HEADER_MISMATCH,
      `Mcp-Method is ${headers['mcp-method'] ?? 'missing'}, the body says ${method}`,
    )
  const by = NAMED_BY[method]
  if (by !== undefined && decoded(headers['mcp-name']) !== params[by])
    throw new RpcError(HEADER_MISMATCH, `Mcp-Name is not the ${by} of the body`)
  const level = meta[LOG_LEVEL_KEY]
  return { capabilities: objectOf(capabilities), logLevel: typeof level === 'string' ? level : undefined }
}

/** Header values that are no plain text come as base64. */
function decoded(value: string | string[] | undefined): string | undefined {
  if (typeof value !== 'string') return undefined
  const text = /^=\?base64\?([A-Za-z0-9+/=]*)\?=$/.exec(value)?.[1]
  return text === undefined ? value : Buffer.from(text, 'base64').toString('utf8')
}
