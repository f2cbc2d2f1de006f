import { AppError } from '@althing/protocol/errors'

/** How often one request is sent on before it counts as a loop. */
export const MOST_HOPS = 5

const KEEPS_METHOD = new Set([307, 308])
const REDIRECTS = new Set([301, 302, 303, 307, 308])

/**
 * Where an answer sends a request on to; nothing for what is no redirect. Only within the origin, because body and
 * credentials go along, and only where the method stays. Throws `protocol_error` with the target for all others.
 */
export function nextHop(from: URL, method: string, status: number, location: string | null): URL | undefined {
  if (!REDIRECTS.has(status)) return undefined
  const target = location === null ? null : URL.parse(location, from.href)
  if (target === null) throw refused(`The server answers with a redirect (HTTP ${status}) to nowhere.`)
  const shown = `${target.origin === 'null' ? target.protocol : target.origin}${target.pathname}`.slice(
    0,
    300,
  )
  if (target.origin !== from.origin || target.username !== '' || target.password !== '') {
    throw refused(
      `The server redirects to ${shown}, which is not followed: give that address if it is meant.`,
    )
  }
  if (method !== 'GET' && !KEEPS_METHOD.has(status)) {
    throw refused(`The server redirects to ${shown} in a way (HTTP ${status}) that loses the request.`)
  }
  return target
}

export function tooManyHops(from: URL): AppError {
  return refused(`${from.host} redirects more than ${MOST_HOPS} times in a row, last to ${from.pathname}.`)
}

function refused(text: string): AppError {
  return new AppError('protocol_error', text)
}
