import type { AnyRoute, Params } from '@althing/protocol/define'
import { type ErrorCode, isErrorCode } from '@althing/protocol/errors'
import type * as z from 'zod'

/** `offline`: no answer came at all. Every other code is of the error table. */
export type FailureCode = ErrorCode | 'offline'

/** A failed call. `detail` is the server's own sentence, which may be empty. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: FailureCode
  readonly status: number
  readonly detail: string

  constructor(code: FailureCode, status: number, detail: string) {
    super(detail || code)
    this.code = code
    this.status = status
    this.detail = detail
  }
}

type Body<S> = S extends z.ZodType ? z.output<S> : undefined
/** What a route answers on success. */
export type Answer<R extends AnyRoute> = Body<R['responses'][keyof R['responses']]>

/** `params` fill the placeholders of the path, and are asked for when it has any. */
export type Input<R extends AnyRoute> = {
  readonly query?: Partial<z.input<R['query']>> | undefined
  readonly body?: z.input<R['body']>
  readonly signal?: AbortSignal | undefined
} & (keyof Params<R['path']> extends never
  ? { readonly params?: never }
  : { readonly params: Params<R['path']> })

/**
 * Calls one route. The contract is a type argument only, so that no schema lands in the bundle:
 * `call<typeof getServer>('GET', '/api/servers/{name}', { params: { name } })`.
 */
export async function call<R extends AnyRoute>(
  method: R['method'],
  path: R['path'],
  input: Input<R>,
): Promise<Answer<R>> {
  const { params, query, body, signal } = input
  const address = fill(path, params ?? {}) + search(query ?? {})
  const response = await send(method, address, body, signal)
  if (response.status === 204) return undefined as Answer<R>
  return (await response.json()) as Answer<R>
}

/** Sends a request and throws an ApiError for every answer that is not a success. */
export async function send(
  method: string,
  address: string,
  body: unknown,
  signal?: AbortSignal,
): Promise<Response> {
  let response: Response
  try {
    response = await fetch(address, {
      method,
      credentials: 'same-origin',
      headers: {
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    })
  } catch (cause) {
    if (signal?.aborted) throw new ApiError('cancelled', 0, '')
    throw new ApiError('offline', 0, cause instanceof Error ? cause.message : '')
  }
  if (!response.ok) throw await failureOf(response)
  return response
}

async function failureOf(response: Response): Promise<ApiError> {
  const body: unknown = await response.json().catch(() => undefined)
  const { code, detail } = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>
  return new ApiError(
    isErrorCode(code) ? code : codeOfStatus(response.status),
    response.status,
    typeof detail === 'string' ? detail : '',
  )
}

const BY_STATUS: Readonly<Record<number, ErrorCode>> = {
  400: 'invalid_request',
  401: 'not_authenticated',
  403: 'forbidden',
  404: 'not_found',
  409: 'conflict',
  413: 'too_large',
  422: 'invalid_request',
  429: 'rate_limited',
  502: 'unavailable',
  503: 'unavailable',
  504: 'timeout',
}

/** The accounts library and proxies answer without a code of ours. */
function codeOfStatus(status: number): ErrorCode {
  return BY_STATUS[status] ?? 'internal'
}

function fill(path: string, params: Readonly<Record<string, string>>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => encodeURIComponent(params[name] ?? ''))
}

function search(query: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '')
  if (given.length === 0) return ''
  return `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`
}
