import type { AppError } from '@althing/protocol/errors'
import type { Challenge } from './challenge.ts'

export interface Bearer {
  readonly token: string
  /** Of the grant that it is from: what is told of a token is told of this version only. */
  readonly version: string
}

/** Gives the requests of one connection their tokens. */
export interface Authorizer {
  /** The token to send; nothing before a person consented. Renews one that is about to expire. */
  bearer(signal: AbortSignal | undefined): Promise<Bearer | undefined>
  /** The server answered 401. Resolves with another token to try once, or nothing: a person must consent. */
  refused(
    used: Bearer | undefined,
    challenge: Challenge,
    signal: AbortSignal | undefined,
  ): Promise<Bearer | undefined>
  /** The server answered 403 `insufficient_scope`. Resolves with the error to show: another consent, or a dead end. */
  lacksScope(used: Bearer | undefined, challenge: Challenge): Promise<AppError>
}
