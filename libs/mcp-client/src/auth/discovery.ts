import { AppError } from '@althing/protocol/errors'
import { buildDiscoveryUrls, checkResourceAllowed } from '@modelcontextprotocol/client'
import * as z from 'zod'
import type { Challenge } from './challenge.ts'
import type { WebFetch } from './web-fetch.ts'

const Text = z.string().max(2048)
const Words = z.array(Text).max(500)
/** A person's browser is sent there: nothing but http may be in it. */
const Endpoint = z.url({ protocol: /^https?$/ }).max(2048)

const ResourceMetadata = z.looseObject({
  resource: z.url({ protocol: /^https?$/ }),
  authorization_servers: z.array(Endpoint).max(20).optional(),
  scopes_supported: Words.optional(),
})
type ResourceMetadata = z.infer<typeof ResourceMetadata>

/** The part of an authorization server's metadata that is used; it is kept with the grant. */
const ServerMetadata = z.object({
  issuer: Text,
  authorization_endpoint: Endpoint,
  token_endpoint: Endpoint,
  registration_endpoint: Endpoint.optional(),
  revocation_endpoint: Endpoint.optional(),
  scopes_supported: Words.optional(),
  response_types_supported: Words.default(['code']),
  code_challenge_methods_supported: Words.optional(),
  token_endpoint_auth_methods_supported: Words.optional(),
  authorization_response_iss_parameter_supported: z.boolean().optional(),
  client_id_metadata_document_supported: z.boolean().optional(),
})
export type ServerMetadata = z.infer<typeof ServerMetadata>

export interface Discovery {
  readonly server: ServerMetadata
  /** What a token is asked for, exactly as the resource calls itself. */
  readonly resource?: string
  /** The scopes the resource names. */
  readonly scopes?: readonly string[]
}

/**
 * Finds out who gives tokens for a server. Throws `upstream_error` with every address that was tried, `unavailable`
 * when one of them may answer later, `protocol_error` when a document is about somebody else.
 */
export async function discover(url: URL, challenge: Challenge, fetch: WebFetch): Promise<Discovery> {
  const trail = new Trail(fetch)
  const found = await resourceMetadata(url, challenge, trail)
  // Before protected resources had metadata, a server was its own authorization server.
  const issuers = found?.authorization_servers?.length ? found.authorization_servers : [url.origin]
  for (const issuer of issuers) {
    const server = await serverMetadata(issuer, trail)
    if (server === undefined) continue
    return {
      server,
      ...(found ? { resource: found.resource } : {}),
      ...(found?.scopes_supported ? { scopes: found.scopes_supported } : {}),
    }
  }
  throw new AppError('upstream_error', `${url.host} does not say how to sign in. Tried: ${trail.text}.`)
}

async function resourceMetadata(
  url: URL,
  { resourceMetadata }: Challenge,
  trail: Trail,
): Promise<ResourceMetadata | undefined> {
  const prefix = `${url.origin}/.well-known/oauth-protected-resource`
  const path = url.pathname.replace(/\/$/, '')
  const candidates = new Set([
    ...(resourceMetadata === undefined ? [] : [resourceMetadata]),
    `${prefix}${path}${url.search}`,
    prefix,
  ])
  for (const candidate of candidates) {
    const document = await trail.get(candidate, ResourceMetadata)
    if (document === undefined) continue
    if (!checkResourceAllowed({ requestedResource: url, configuredResource: document.resource })) {
      throw new AppError(
        'protocol_error',
        `${candidate} is about ${document.resource}, not about ${url.origin}${url.pathname}.`,
      )
    }
    return document
  }
  return undefined
}

async function serverMetadata(issuer: string, trail: Trail): Promise<ServerMetadata | undefined> {
  for (const { url } of buildDiscoveryUrls(issuer)) {
    const document = await trail.get(url.href, ServerMetadata)
    if (document === undefined) continue
    // The document must name the very issuer that it was looked up for; only a bare host may gain a slash.
    const names =
      new URL(issuer).pathname === '/' ? [issuer, `${issuer}/`, issuer.replace(/\/$/, '')] : [issuer]
    if (!names.includes(document.issuer)) {
      throw new AppError('protocol_error', `${url.href} is about ${document.issuer}, not about ${issuer}.`)
    }
    mustBeUsable(document)
    return document
  }
  return undefined
}

function mustBeUsable({
  issuer,
  response_types_supported,
  code_challenge_methods_supported,
}: ServerMetadata) {
  if (!response_types_supported.includes('code'))
    throw new AppError('upstream_error', `${issuer} gives no authorization codes.`)
  if (code_challenge_methods_supported && !code_challenge_methods_supported.includes('S256'))
    throw new AppError('upstream_error', `${issuer} does not protect authorization codes (PKCE with S256).`)
}

/** Looks documents up and remembers where. */
class Trail {
  readonly #fetch: WebFetch
  readonly #tried: string[] = []

  constructor(fetch: WebFetch) {
    this.#fetch = fetch
  }

  get text(): string {
    return this.#tried.join(', ')
  }

  /** Undefined where there is no such document, whatever the server calls that. */
  async get<T>(url: string, schema: z.ZodType<T>): Promise<T | undefined> {
    const response = await this.#fetch(url, { headers: { accept: 'application/json' } })
    this.#tried.push(`${url} (HTTP ${response.status})`)
    if (response.status >= 500) {
      throw new AppError(
        'unavailable',
        `${url} fails (HTTP ${response.status}): try later. Tried: ${this.text}.`,
      )
    }
    if (!response.ok) return undefined
    const parsed = schema.safeParse(await response.json().catch(() => undefined))
    return parsed.data
  }
}
