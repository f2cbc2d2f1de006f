import { AppError } from '@althing/protocol/errors'
import {
  exchangeAuthorization,
  OAuthError,
  startAuthorization,
  validateAuthorizationResponseIssuer,
} from '@modelcontextprotocol/client'
import type { Challenge } from './challenge.ts'
import { type ClientIdentity, chooseClient } from './client-choice.ts'
import { discover, type ServerMetadata } from './discovery.ts'
import type { ClientInformation, Grant, GrantContent } from './grant.ts'
import { joinScopes, wordsOf } from './scope.ts'
import { sdkClient, tokenFields } from './session.ts'
import type { WebFetch } from './web-fetch.ts'

/** A consent that was asked for and not given yet. Secret: it holds the PKCE verifier. */
export interface PendingConsent {
  readonly server: ServerMetadata
  readonly client: ClientInformation
  readonly codeVerifier: string
  readonly redirectUrl: string
  readonly resource?: string
  readonly scope?: string
}

export interface ConsentOptions {
  /** The MCP server. */
  readonly url: URL
  /** What its last refusal asked for. */
  readonly challenge: Challenge
  readonly identity: ClientIdentity
  /** What the person gave before. */
  readonly grant?: Grant | undefined
  /** Scopes that are asked for instead of those the server names. */
  readonly scopes?: readonly string[] | undefined
  readonly knownClient: (issuer: string) => Promise<ClientInformation | undefined>
  /** A new registration, to be used again. */
  readonly rememberClient: (issuer: string, client: ClientInformation) => Promise<void>
  /** Random, and known to nobody else. */
  readonly state: string
  readonly fetch: WebFetch
}

/** Where to send a person for their consent, and what to keep until they come back. */
export async function askConsent(options: ConsentOptions): Promise<{ url: URL; pending: PendingConsent }> {
  const { identity, fetch, state } = options
  const { server, resource, scopes } = await discover(options.url, options.challenge, fetch)
  const scope = scopeFor(options, server, scopes)
  const known = await options.knownClient(server.issuer)
  const { client, isNew } = await chooseClient(server, identity, known, scope, fetch)
  if (isNew) await options.rememberClient(server.issuer, client)
  const { authorizationUrl, codeVerifier } = await startAuthorization(server.issuer, {
    metadata: server,
    clientInformation: sdkClient(client),
    redirectUrl: identity.redirectUrl,
    state,
    ...(scope === undefined ? {} : { scope }),
    ...(resource === undefined ? {} : { resource }),
  })
  const pending = {
    server,
    client,
    codeVerifier,
    redirectUrl: identity.redirectUrl,
    ...(resource === undefined ? {} : { resource }),
    ...(scope === undefined ? {} : { scope }),
  }
  return { url: authorizationUrl, pending }
}

/**
 * Turns the answer that the person's browser brought back into a grant. Throws `protocol_error` for an answer of
 * another issuer, `forbidden` when consent was refused, `upstream_error` when the code is not taken.
 */
export async function redeemConsent(
  pending: PendingConsent,
  answer: URLSearchParams,
  fetch: WebFetch,
): Promise<GrantContent> {
  const { server, client, codeVerifier, redirectUrl, resource, scope } = pending
  const iss = answer.get('iss') ?? undefined
  mustBeFrom(server, iss)
  const refusal = answer.get('error')
  if (refusal !== null) {
    const detail = (answer.get('error_description') ?? '').slice(0, 200)
    throw new AppError(
      'forbidden',
      `The sign-in was refused: ${refusal.slice(0, 64)}${detail && ` (${detail})`}.`,
    )
  }
  const code = answer.get('code')
  if (code === null) throw new AppError('invalid_request', 'The answer holds neither a code nor an error.')
  const tokens = await exchangeAuthorization(server.issuer, {
    metadata: server,
    clientInformation: sdkClient(client),
    authorizationCode: code,
    codeVerifier,
    redirectUri: redirectUrl,
    fetchFn: fetch,
    ...(iss === undefined ? {} : { iss }),
    ...(resource === undefined ? {} : { resource }),
  }).catch((cause: unknown) => {
    if (cause instanceof AppError) throw cause
    // Not as a cause: its words may quote what was sent.
    const why = cause instanceof OAuthError ? cause.code : 'its answer is not as it should be'
    throw new AppError('upstream_error', `${server.issuer} gave no access: ${why}.`)
  })
  return {
    issuer: server.issuer,
    server,
    client,
    ...(resource === undefined ? {} : { resource }),
    // A server that does not say what it gave, gave what it was asked for.
    ...(scope === undefined ? {} : { scope }),
    ...tokenFields(tokens),
  }
}

function mustBeFrom(server: ServerMetadata, iss: string | undefined): void {
  try {
    validateAuthorizationResponseIssuer({
      iss,
      expectedIssuer: server.issuer,
      issParameterSupported: server.authorization_response_iss_parameter_supported === true,
    })
  } catch (cause) {
    throw new AppError('protocol_error', `The answer is not from ${server.issuer}.`, { cause })
  }
}

/** What is arranged comes first, then what the refusal names, then what the resource names; nothing is lost. */
function scopeFor(
  { scopes, challenge, grant }: ConsentOptions,
  server: ServerMetadata,
  resourceScopes: readonly string[] | undefined,
): string | undefined {
  const base = scopes?.join(' ') ?? challenge.scope ?? resourceScopes?.join(' ')
  const granted = grant?.issuer === server.issuer ? grant.scope : undefined
  const wanted = joinScopes(base, challenge.scope, granted)
  // Where it is offered, it is what gives a refresh token.
  const offline = wordsOf(server.scopes_supported?.join(' ')).includes('offline_access')
  return wanted !== undefined && offline ? joinScopes(wanted, 'offline_access') : wanted
}
