import type { Challenge } from './challenge.ts'
import type { Grant, GrantContent, GrantStore } from './grant.ts'

interface Kept {
  readonly content: GrantContent
  readonly version: string
  readonly at: number
}

/** Grants that live as long as the process. */
export class MemoryGrants implements GrantStore {
  #kept: Kept | undefined
  #claimedUntil = 0
  #versions = 0
  #challenge: Challenge = {}

  /** What refusals asked for. */
  get challenge(): Challenge {
    return this.#challenge
  }

  /** A new consent: replaces whatever there is. */
  put(content: GrantContent): Grant {
    this.#kept = { content, version: String(++this.#versions), at: performance.now() }
    this.#claimedUntil = 0
    return this.#current(this.#kept)
  }

  async read(): Promise<Grant | undefined> {
    return this.#kept && this.#current(this.#kept)
  }

  async claimRenewal(version: string, leaseMs: number): Promise<boolean> {
    if (this.#kept?.version !== version || performance.now() < this.#claimedUntil) return false
    this.#claimedUntil = performance.now() + leaseMs
    return true
  }

  async endClaim(version: string): Promise<void> {
    if (this.#kept?.version === version) this.#claimedUntil = 0
  }

  async renew(version: string, content: GrantContent): Promise<Grant | undefined> {
    return this.#kept?.version === version ? this.put(content) : undefined
  }

  async drop(version: string): Promise<void> {
    if (this.#kept?.version === version) this.#kept = undefined
  }

  async note(challenge: Challenge): Promise<void> {
    this.#challenge = { ...this.#challenge, ...challenge }
  }

  #current({ content, version, at }: Kept): Grant {
    return { ...content, version, ageMs: performance.now() - at }
  }
}
