import { AppError } from '@althing/protocol/errors'

export interface OriginQuestion {
  readonly origin: string | undefined
  readonly host: string | undefined
  /** Whether a browser may have sent the request without the person wanting it. */
  readonly byCookie: boolean
  /** The public address and the trusted ones. */
  readonly trusted: ReadonlySet<string>
}

/**
 * Other sites must not act with a person's cookie: a state-changing request that carries one names a trusted origin,
 * or the host it was sent to. Without a cookie an origin may be missing, but not be another one.
 * Throws `untrusted_origin`.
 */
export function mustBeTrusted({ origin, host, byCookie, trusted }: OriginQuestion): void {
  if (origin === undefined) {
    if (byCookie) throw new AppError('untrusted_origin', 'A request with a cookie must name its origin')
    return
  }
  if (trusted.has(origin)) return
  if (host !== undefined && URL.canParse(origin) && new URL(origin).host === host) return
  throw new AppError('untrusted_origin', 'The origin of the request is not trusted')
}
