import type { ErrorCode } from '@althing/protocol/errors'
import { asAppError } from '@althing/runtime/errors'

export type Json = Readonly<Record<string, unknown>>

export const PARSE_ERROR = -32700
export const INVALID_REQUEST = -32600
export const METHOD_NOT_FOUND = -32601
export const INVALID_PARAMS = -32602
export const INTERNAL_ERROR = -32603
/** Codes of the 2026-07-28 era. */
export const HEADER_MISMATCH = -32020
export const MISSING_CAPABILITY = -32021
export const UNSUPPORTED_VERSION = -32022
/** A failure of this host or of the server behind it; `data.code` says which. */
const HOST_ERROR = -32000

export const MODERN = '2026-07-28'
/** The versions of the older era that are answered, newest first. */
export const LEGACY = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const
export const SERVER_INFO = { name: 'althing', version: '0.1.0' }

/** A JSON-RPC message as it came: a request, a notification or a response. */
export interface Message {
  readonly id?: string | number
  readonly method?: string
  readonly params: Json
  readonly result?: unknown
  readonly error?: unknown
}

/** A failure in the words of JSON-RPC. */
export class RpcError extends Error {
  override readonly name = 'RpcError'
  readonly code: number
  readonly data: unknown

  constructor(code: number, message: string, data?: unknown) {
    super(message)
    this.code = code
    this.data = data
  }
}

const CODES: Partial<Record<ErrorCode, number>> = {
  tool_not_found: INVALID_PARAMS,
  server_not_found: INVALID_PARAMS,
  invalid_request: INVALID_PARAMS,
  not_found: INVALID_PARAMS,
  internal: INTERNAL_ERROR,
}

/** Any thrown value as a JSON-RPC error; `data.code` is the code of the product's own table. */
export function rpcErrorOf(thrown: unknown): RpcError {
  if (thrown instanceof RpcError) return thrown
  const error = asAppError(thrown)
  return new RpcError(CODES[error.code] ?? HOST_ERROR, error.message, { code: error.code })
}

/** Throws `RpcError` for what is no JSON-RPC message. */
export function readMessage(body: unknown): Message {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new RpcError(INVALID_REQUEST, 'Send one JSON-RPC message; batches are not taken')
  const { jsonrpc, id, method, params, result, error } = body as Json
  if (jsonrpc !== '2.0') throw new RpcError(INVALID_REQUEST, 'jsonrpc: must be "2.0"')
  if (id !== undefined && typeof id !== 'string' && !Number.isInteger(id))
    throw new RpcError(INVALID_REQUEST, 'id: must be a string or an integer')
  if (method !== undefined && typeof method !== 'string')
    throw new RpcError(INVALID_REQUEST, 'method: must be a string')
  if (method === undefined && (id === undefined || (result === undefined && error === undefined)))
    throw new RpcError(INVALID_REQUEST, 'The message is neither a request nor a response')
  if (params !== undefined && (typeof params !== 'object' || params === null || Array.isArray(params)))
    throw new RpcError(INVALID_PARAMS, 'params: must be an object')
  return {
    ...(id === undefined ? {} : { id: id as string | number }),
    ...(method === undefined ? {} : { method }),
    params: (params ?? {}) as Json,
    ...(result === undefined ? {} : { result }),
    ...(error === undefined ? {} : { error }),
  }
}

export function errorBody(id: string | number | undefined, error: RpcError): Json {
  const { code, message, data } = error
  return { jsonrpc: '2.0', id: id ?? null, error: { code, message, ...(data === undefined ? {} : { data }) } }
}

/** The HTTP status of an error: the older era answers with 200, the newer names some by their status. */
export function statusOf(code: number, modern: boolean): number {
  if (code === PARSE_ERROR || code === INVALID_REQUEST) return 400
  if (!modern) return 200
  if (code === METHOD_NOT_FOUND) return 404
  return [HEADER_MISMATCH, MISSING_CAPABILITY, UNSUPPORTED_VERSION].includes(code) ? 400 : 200
}

export function stringOf(params: Json, name: string): string {
  const value = params[name]
  if (typeof value !== 'string' || value === '') throw new RpcError(INVALID_PARAMS, `${name}: give a string`)
  return value
}

export function objectOf(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {}
}

export function mustBeArguments(params: Json): Json {
  const { arguments: args } = params
  if (args === undefined || args === null) return {}
  if (typeof args !== 'object' || Array.isArray(args))
    throw new RpcError(INVALID_PARAMS, 'arguments: must be an object')
  return args as Json
}
