import { setTimeout as wait } from 'node:timers/promises'
import { AppError } from '@althing/protocol/errors'
import { OAuthError, refreshAuthorization } from '@modelcontextprotocol/client'
import type { Authorizer, Bearer } from './authorizer.ts'
import type { Challenge } from './challenge.ts'
import type { ClientInformation, Grant, GrantContent, GrantStore } from './grant.ts'
import { covers } from './scope.ts'
import type { WebFetch } from './web-fetch.ts'

/** Longer than a token request may take. */
const LEASE_MS = 30_000
const LOOK_EVERY_MS = 100
const MARGIN_MS = 60_000
/** A token that lives for a minute is not renewed at once. */
const MARGIN_SHARE = 0.1

/** Codes after which a refresh token, or the client it was given to, is of no use any more. */
const DEAD = new Set(['invalid_grant', 'invalid_client', 'unauthorized_client'])

interface SessionOptions {
  readonly store: GrantStore
  readonly fetch: WebFetch
  /** Told of every token before it is used, so that it can be masked where it is echoed. */
  readonly onSecret?: (secret: string) => void
  /** Milliseconds that only grow. */
  readonly monotonic?: () => number
}

/**
 * The tokens of one connection. Any number of requests, here and in other replicas, renew a token once: whoever
 * comes late takes what the first one got.
 */
export class AuthSession implements Authorizer {
  readonly #store: GrantStore
  readonly #fetch: WebFetch
  readonly #monotonic: () => number
  readonly #onSecret: (secret: string) => void
  #held: { readonly grant: Grant; readonly readAt: number } | undefined
  #renewing: Promise<Grant | undefined> | undefined

  constructor({ store, fetch, onSecret = () => {}, monotonic = () => performance.now() }: SessionOptions) {
    this.#store = store
    this.#fetch = fetch
    this.#monotonic = monotonic
    this.#onSecret = onSecret
  }

  async bearer(signal?: AbortSignal): Promise<Bearer | undefined> {
    const grant = this.#held?.grant ?? this.#hold(await this.#store.read())
    if (grant === undefined) return undefined
    const leftMs = this.#leftMs(grant)
    const margin = Math.min(MARGIN_MS, (grant.expiresIn ?? 0) * 1000 * MARGIN_SHARE)
    if (leftMs > margin || grant.refreshToken === undefined) return bearerOf(grant)
    try {
      const renewed = await unlessAborted(this.#renewOnce(grant), signal)
      return renewed && bearerOf(renewed)
    } catch (error) {
      signal?.throwIfAborted()
      if (leftMs > 0) return bearerOf(grant)
      throw error
    }
  }

  async refused(
    used: Bearer | undefined,
    challenge: Challenge,
    signal?: AbortSignal,
  ): Promise<Bearer | undefined> {
    const newest = this.#hold(await this.#store.read())
    if (newest && newest.version !== used?.version) return bearerOf(newest)
    // Noted also when there is another token to try: that may be refused too.
    await this.#store.note(challenge)
    if (newest?.refreshToken === undefined) return undefined
    const renewed = await unlessAborted(this.#renewOnce(newest), signal)
    return renewed && bearerOf(renewed)
  }

  async lacksScope(used: Bearer | undefined, challenge: Challenge): Promise<AppError> {
    const grant = this.#hold(await this.#store.read())
    const scope = challenge.scope ?? ''
    // Asking for what was given already would go on for ever.
    if (used && grant?.version === used.version && covers(grant.scope, scope)) {
      return new AppError(
        'upstream_error',
        `The server asks for the scope "${scope}", which it was given already.`,
      )
    }
    await this.#store.note(challenge)
    return new AppError('needs_auth', `The server asks for another consent, to the scope "${scope}".`, {
      details: { scope },
    })
  }

  #leftMs({ expiresIn, ageMs }: Grant): number {
    if (expiresIn === undefined) return Number.POSITIVE_INFINITY
    const heldMs = this.#monotonic() - (this.#held?.readAt ?? this.#monotonic())
    return expiresIn * 1000 - ageMs - heldMs
  }

  #hold(grant: Grant | undefined): Grant | undefined {
    if (grant && grant.version !== this.#held?.grant.version) {
      this.#onSecret(grant.accessToken)
      if (grant.refreshToken !== undefined) this.#onSecret(grant.refreshToken)
    }
    this.#held = grant && { grant, readAt: this.#monotonic() }
    return grant
  }

  #renewOnce(stale: Grant): Promise<Grant | undefined> {
    this.#renewing ??= this.#renew(stale)
      .then((grant) => this.#hold(grant))
      .finally(() => {
        this.#renewing = undefined
      })
    return this.#renewing
  }

  async #renew(stale: Grant): Promise<Grant | undefined> {
    while (!(await this.#store.claimRenewal(stale.version, LEASE_MS))) {
      const newest = await this.#store.read()
      if (newest?.version !== stale.version) return newest
      await wait(LOOK_EVERY_MS)
    }
    try {
      const renewed = await this.#store.renew(stale.version, await renewedBy(stale, this.#fetch))
      return renewed ?? (await this.#store.read())
    } catch (error) {
      if (error instanceof OAuthError && DEAD.has(error.code)) {
        await this.#store.drop(stale.version)
        return this.#store.read()
      }
      await this.#store.endClaim(stale.version)
      if (error instanceof AppError) throw error
      // Not as a cause: its words may quote what was sent.
      const why = error instanceof OAuthError ? error.code : 'its answer is not as it should be'
      throw new AppError('unavailable', `${stale.issuer} did not renew the access: ${why}.`)
    }
  }
}

async function renewedBy(grant: Grant, fetch: WebFetch): Promise<GrantContent> {
  const { version: _version, ageMs: _age, expiresIn: _expires, ...kept } = grant
  const tokens = await refreshAuthorization(grant.issuer, {
    metadata: grant.server,
    clientInformation: sdkClient(grant.client),
    refreshToken: grant.refreshToken ?? '',
    fetchFn: fetch,
    ...(grant.resource === undefined ? {} : { resource: grant.resource }),
  })
  return { ...kept, ...tokenFields(tokens) }
}

/** One caller that goes away ends its own wait; the others go on waiting. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work
  work.catch(() => {})
  const aborted = Promise.withResolvers<never>()
  const onAbort = () => aborted.reject(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    signal.throwIfAborted()
    return await Promise.race([work, aborted.promise])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

interface Tokens {
  readonly access_token: string
  readonly refresh_token?: string | undefined
  readonly scope?: string | undefined
  readonly expires_in?: number | undefined
}

/** What a token endpoint answered, in the fields of a grant. */
export function tokenFields({ access_token, refresh_token, scope, expires_in }: Tokens) {
  return {
    accessToken: access_token,
    ...(refresh_token === undefined ? {} : { refreshToken: refresh_token }),
    ...(scope === undefined ? {} : { scope }),
    ...(expires_in === undefined || expires_in <= 0 ? {} : { expiresIn: expires_in }),
  }
}

/** The SDK wants a client without what only a registration holds. */
export function sdkClient({ redirect_uris: _uris, ...client }: ClientInformation) {
  return client
}

function bearerOf({ accessToken, version }: Grant): Bearer {
  return { token: accessToken, version }
}
