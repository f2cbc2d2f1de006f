import type { IncomingHttpHeaders } from 'node:http'
import { AppError } from '@althing/protocol/errors'

export interface Places {
  /** Origins that may act here: the public address and the trusted ones. */
  readonly trusted: ReadonlySet<string>
  /** Whether the service listens on loopback only: then nothing but this machine has business here. */
  readonly loopback: boolean
}

const LOCAL = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i

/**
 * Other sites must not reach a local endpoint through a person's browser (DNS rebinding): the host that is named is
 * this machine or the public one, and an origin, where there is one, is that host. Throws `untrusted_origin`.
 */
export function mustComeFromHere(
  { host = '', origin }: IncomingHttpHeaders,
  { trusted, loopback }: Places,
): void {
  const hosts = new Set([...trusted].map((one) => new URL(one).host))
  if (loopback && !LOCAL.test(host) && !hosts.has(host))
    throw new AppError('untrusted_origin', 'The host of the request is not this one')
  if (origin === undefined || trusted.has(origin)) return
  if (URL.canParse(origin) && new URL(origin).host === host) return
  throw new AppError('untrusted_origin', 'The origin of the request is not trusted')
}
