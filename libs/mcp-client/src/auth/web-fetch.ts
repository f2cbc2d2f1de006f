import { AppError } from '@althing/protocol/errors'
import type { Dispatcher } from 'undici'
import { type AddressPolicy, guardedAgent, unreachable } from '../transport/address-guard.ts'
import { MOST_HOPS, nextHop, tooManyHops } from '../transport/redirects.ts'

const MOST_BYTES = 262_144
const TIMEOUT_MS = 15_000
const NULL_BODY = new Set([101, 204, 205, 304])

/** A `fetch` for small documents and forms. */
export type WebFetch = (input: string | URL, init?: RequestInit) => Promise<Response>

/**
 * A `fetch` under the rule of which addresses may be reached, on every hop: for metadata and tokens, whose addresses
 * are a stranger's words. At most 256 KiB and 15 s; redirects within the origin only.
 */
export function guardedWebFetch(policy: AddressPolicy): WebFetch & AsyncDisposable {
  const dispatcher = guardedAgent(policy)
  const fetch: WebFetch = async (input, init = {}) => {
    let url = new URL(input)
    const method = (init.method ?? 'GET') as Dispatcher.HttpMethod
    const limit = AbortSignal.timeout(TIMEOUT_MS)
    const signal = init.signal ? AbortSignal.any([init.signal, limit]) : limit
    for (let hops = 0; hops <= MOST_HOPS; hops++) {
      const { statusCode, headers, body } = await dispatcher
        .request({
          origin: url.origin,
          path: url.pathname + url.search,
          method,
          headers: Object.fromEntries(new Headers(init.headers)),
          body: init.body === undefined || init.body === null ? null : String(init.body),
          signal,
        })
        .catch((cause: unknown) => Promise.reject(unreachable(url, cause)))
      const text = await readSmall(url, body)
      const location = headers.location
      const next = nextHop(url, method, statusCode, typeof location === 'string' ? location : null)
      if (next === undefined) {
        const type = headers['content-type']
        return new Response(NULL_BODY.has(statusCode) ? null : text, {
          status: statusCode,
          headers: typeof type === 'string' ? { 'content-type': type } : {},
        })
      }
      url = next
    }
    throw tooManyHops(url)
  }
  return Object.assign(fetch, { [Symbol.asyncDispose]: async () => dispatcher.destroy() })
}

async function readSmall(url: URL, body: Dispatcher.ResponseData['body']): Promise<string> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of body as AsyncIterable<Buffer>) {
    bytes += part.length
    if (bytes > MOST_BYTES) {
      body.destroy()
      throw new AppError('too_large', `${url.host} answered with more than ${MOST_BYTES} bytes.`)
    }
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}
