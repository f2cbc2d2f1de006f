import type { Challenge } from './challenge.ts'
import type { ServerMetadata } from './discovery.ts'

/** What an authorization server knows us by. */
export interface ClientInformation {
  readonly client_id: string
  readonly client_secret?: string
  readonly token_endpoint_auth_method?: string
  /** Seconds since 1970; 0: never. */
  readonly client_secret_expires_at?: number
  readonly redirect_uris?: readonly string[]
}

/** What a consent gave, with all that renewing it needs. Secret as a whole. */
export interface GrantContent {
  readonly issuer: string
  readonly server: ServerMetadata
  readonly client: ClientInformation
  readonly resource?: string
  readonly accessToken: string
  readonly refreshToken?: string
  readonly scope?: string
  /** Seconds from when it was given; absent where the server does not say, or says 0. */
  readonly expiresIn?: number
}

export interface Grant extends GrantContent {
  readonly version: string
  /** Milliseconds since it was given, by the clock of the store, so that no two replicas differ over it. */
  readonly ageMs: number
}

/** Where the grants of one person (or of everybody) for one server are kept. */
export interface GrantStore {
  read(): Promise<Grant | undefined>
  /**
   * Claims the renewal of this very version for `leaseMs`: only one of all replicas may use a refresh token that is
   * valid once. False when it is claimed, or not the newest.
   */
  claimRenewal(version: string, leaseMs: number): Promise<boolean>
  endClaim(version: string): Promise<void>
  /** Replaces this very version. Undefined when it was not the newest any more. */
  renew(version: string, content: GrantContent): Promise<Grant | undefined>
  /** Forgets this very version, and no newer one. */
  drop(version: string): Promise<void>
  /** Keeps what a refusal asked for, over what the one before did, for the next consent. */
  note(challenge: Challenge): Promise<void>
}
