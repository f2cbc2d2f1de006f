import { AppError } from '@althing/protocol/errors'
import { RegistrationRejectedError, registerClient } from '@modelcontextprotocol/client'
import type { ServerMetadata } from './discovery.ts'
import type { ClientInformation } from './grant.ts'
import type { WebFetch } from './web-fetch.ts'

/** How this host presents itself to authorization servers. */
export interface ClientIdentity {
  readonly name: string
  readonly redirectUrl: string
  /** A public https address with `clientMetadata`; that address is then the client's id. */
  readonly metadataUrl?: string
  /** What an administrator arranged with the authorization server. */
  readonly arranged?: {
    readonly client_id: string
    readonly client_secret?: string
    readonly issuer?: string
  }
}

/** The description of this client that authorization servers read or are sent. */
export function clientMetadata({ name, redirectUrl }: Pick<ClientIdentity, 'name' | 'redirectUrl'>) {
  const { hostname } = new URL(redirectUrl)
  const local = hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]'
  return {
    client_name: name,
    redirect_uris: [redirectUrl],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    application_type: local ? ('native' as const) : ('web' as const),
  }
}

/**
 * As whom to ask this authorization server: what was arranged with it, else the address of our metadata where it
 * takes one, else what it knows us by already, else a new registration. Throws `invalid_request` where none will do.
 */
export async function chooseClient(
  server: ServerMetadata,
  identity: ClientIdentity,
  known: ClientInformation | undefined,
  scope: string | undefined,
  fetch: WebFetch,
): Promise<{ readonly client: ClientInformation; readonly isNew: boolean }> {
  const { arranged, metadataUrl, redirectUrl } = identity
  if (arranged) {
    if (arranged.issuer !== undefined && arranged.issuer !== server.issuer) {
      throw new AppError(
        'invalid_request',
        `oauth.client_id is for ${arranged.issuer}; the server now sends people to ${server.issuer}.`,
      )
    }
    const { issuer: _issuer, ...client } = arranged
    return { client, isNew: false }
  }
  if (server.client_id_metadata_document_supported && metadataUrl?.startsWith('https://'))
    return { client: { client_id: metadataUrl, token_endpoint_auth_method: 'none' }, isNew: false }
  if (known && isUsable(known, redirectUrl)) return { client: known, isNew: false }
  if (server.registration_endpoint === undefined) {
    throw new AppError(
      'invalid_request',
      `${server.issuer} registers no clients by itself: give oauth.client_id, with ${redirectUrl} as its redirect address.`,
    )
  }
  return { client: await register(server, identity, scope, fetch), isNew: true }
}

function isUsable(
  { client_secret_expires_at, redirect_uris }: ClientInformation,
  redirectUrl: string,
): boolean {
  const expired = client_secret_expires_at && client_secret_expires_at * 1000 < Date.now()
  return !expired && (redirect_uris?.includes(redirectUrl) ?? true)
}

async function register(
  server: ServerMetadata,
  identity: ClientIdentity,
  scope: string | undefined,
  fetch: WebFetch,
): Promise<ClientInformation> {
  const method = authMethodFor(server)
  const registered = await registerClient(server.issuer, {
    metadata: server,
    clientMetadata: { ...clientMetadata(identity), token_endpoint_auth_method: method },
    fetchFn: fetch,
    ...(scope === undefined ? {} : { scope }),
  }).catch((cause: unknown) => {
    if (cause instanceof AppError) throw cause
    const status = cause instanceof RegistrationRejectedError ? ` (HTTP ${cause.status})` : ''
    throw new AppError('upstream_error', `${server.issuer} did not register this host as a client${status}.`)
  })
  return {
    client_id: registered.client_id,
    redirect_uris: [identity.redirectUrl],
    token_endpoint_auth_method: registered.token_endpoint_auth_method ?? method,
    ...(registered.client_secret === undefined ? {} : { client_secret: registered.client_secret }),
    ...(registered.client_secret_expires_at === undefined
      ? {}
      : { client_secret_expires_at: registered.client_secret_expires_at }),
  }
}

/** A client without a secret has none to lose: PKCE protects the code. */
function authMethodFor({ token_endpoint_auth_methods_supported: supported }: ServerMetadata): string {
  const wanted = ['none', 'client_secret_basic', 'client_secret_post']
  return wanted.find((method) => supported?.includes(method)) ?? 'client_secret_basic'
}
