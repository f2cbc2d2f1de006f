import { AppError } from '@althing/protocol/errors'
import type { FetchLike } from '@modelcontextprotocol/client'
import type { Dispatcher } from 'undici'
import type { Authorizer, Bearer } from '../auth/authorizer.ts'
import { readChallenge } from '../auth/challenge.ts'
import { unreachable } from './address-guard.ts'
import { LeanResponse } from './lean-response.ts'
import { MOST_HOPS, nextHop, tooManyHops } from './redirects.ts'

const LONGEST_EXTRACT = 200
const NO_BODY = new Set([202, 204, 304])

export interface FetchOptions {
  readonly dispatcher: Dispatcher
  readonly maxMessageBytes: number
  /** Told of a fault that the SDK would reword, before it is thrown. */
  readonly onFault: (error: AppError) => void
  /** Whose tokens go along; without one a 401 is final. */
  readonly authorizer?: Authorizer
  /** The old HTTP+SSE wire: every answer comes on the one stream, and a request is only ever accepted. */
  readonly answersOnStream?: boolean
}

/**
 * The `fetch` that the SDK's HTTP transport gets: `undici.request` with byte limits and clear faults. Costs a
 * fraction of the global one. Answers that cannot be MCP fail at once instead of waiting for a time-out. Redirects
 * within the origin are followed, with method, headers and body kept, and remembered.
 */
export function undiciFetch(options: FetchOptions): FetchLike {
  const { dispatcher, maxMessageBytes, onFault, authorizer, answersOnStream = false } = options
  const moved = new Map<string, URL>()
  const fail = (error: AppError): never => {
    onFault(error)
    throw error
  }

  async function send(given: URL, init: RequestInit, bearer: Bearer | undefined): Promise<LeanResponse> {
    const method = (init.method ?? 'GET') as Dispatcher.HttpMethod
    const headers = Object.fromEntries(new Headers(init.headers))
    if (bearer) headers.authorization = `Bearer ${bearer.token}`
    let url = moved.get(given.href) ?? given
    for (let hops = 0; hops <= MOST_HOPS; hops++) {
      const answer = await dispatcher
        .request({
          origin: url.origin,
          path: url.pathname + url.search,
          method,
          headers,
          body: bodyOf(init),
          ...(init.signal ? { signal: init.signal } : {}),
        })
        .catch((cause: unknown) =>
          init.signal?.aborted ? Promise.reject(cause) : fail(unreachable(url, cause)),
        )
      const response = new LeanResponse(answer, url, maxMessageBytes)
      const next = await hopOf(response, url, method)
      if (next === undefined) {
        if (hops > 0) moved.set(given.href, url)
        return response
      }
      url = next
    }
    return fail(tooManyHops(url))
  }

  async function hopOf(response: LeanResponse, from: URL, method: string): Promise<URL | undefined> {
    try {
      const next = nextHop(from, method, response.status, response.headers.get('location'))
      if (next) await response.discard()
      return next
    } catch (error) {
      await response.discard()
      return fail(error as AppError)
    }
  }

  /** Sends with the person's token; one that is refused is renewed once. */
  async function sendAuthorized(url: URL, init: RequestInit): Promise<LeanResponse> {
    const signal = init.signal ?? undefined
    let bearer = await authorizer?.bearer(signal)
    let response = await send(url, init, bearer)
    if (response.status === 401 && authorizer) {
      const challenge = readChallenge(response.headers.get('www-authenticate'), url)
      const renewed = await authorizer.refused(bearer, challenge, signal)
      if (renewed) {
        await response.discard()
        bearer = renewed
        response = await send(url, init, bearer)
      }
    }
    if (response.status === 403 && authorizer) {
      const challenge = readChallenge(response.headers.get('www-authenticate'), url)
      if (challenge.error === 'insufficient_scope') {
        await response.discard()
        throw await authorizer.lacksScope(bearer, challenge)
      }
    }
    if (response.status === 401) {
      await response.discard()
      fail(new AppError('needs_auth', `${url.host} asks for a sign-in (HTTP 401).`))
    }
    return response
  }

  return async (input, init = {}) => {
    const response = await sendAuthorized(new URL(input), init).catch((error: unknown) =>
      error instanceof AppError ? fail(error) : Promise.reject(error),
    )
    if (answersOnStream) return response as unknown as Response
    const body = bodyOf(init)
    if (response.status === 202 && isRequest(body)) {
      await response.discard()
      fail(
        new AppError('protocol_error', 'The server accepted a request (HTTP 202) but gave no answer to it.'),
      )
    }
    if (init.method === 'POST' && response.ok && !NO_BODY.has(response.status)) {
      const type = (response.headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase()
      if (type !== 'application/json' && type !== 'text/event-stream' && isRequest(body)) {
        const extract = await response.extract(LONGEST_EXTRACT)
        fail(
          new AppError(
            'protocol_error',
            `The server answered HTTP ${response.status} with ${type || 'no content type'}, not MCP: ${extract}`,
          ),
        )
      }
    }
    return response as unknown as Response
  }
}

function bodyOf({ body }: RequestInit): string | null {
  return typeof body === 'string' ? body : null
}

/** Parses the few bodies that it is asked about: those whose answer is odd. */
function isRequest(body: string | null): boolean {
  if (body === null) return false
  const message = JSON.parse(body) as { method?: unknown; id?: unknown }
  return message.method !== undefined && message.id !== undefined
}
