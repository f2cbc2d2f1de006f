import { randomBytes } from 'node:crypto'
import { askConsent, redeemConsent } from '@althing/mcp-client/auth/authorization'
import type { ClientIdentity } from '@althing/mcp-client/auth/client-choice'
import type { ClientInformation } from '@althing/mcp-client/auth/grant'
import { MemoryGrants } from '@althing/mcp-client/auth/memory-grants'
import { AuthSession } from '@althing/mcp-client/auth/session'
import { guardedWebFetch } from '@althing/mcp-client/auth/web-fetch'

/** The suite knows this address by heart; nothing is fetched from it. */
const METADATA_URL = 'https://conformance-test.local/client-metadata.json'
const REDIRECT_URL = 'http://localhost:3000/callback'

/** A person who consents to everything, at once. */
export class Consents implements AsyncDisposable {
  readonly #fetch = guardedWebFetch({ loopback: true, private: false })
  readonly #grants = new MemoryGrants()
  readonly #clients = new Map<string, ClientInformation>()
  readonly #identity: ClientIdentity
  readonly session = new AuthSession({ store: this.#grants, fetch: this.#fetch })

  constructor(arranged: ClientIdentity['arranged']) {
    this.#identity = {
      name: 'Althing',
      redirectUrl: REDIRECT_URL,
      metadataUrl: METADATA_URL,
      ...(arranged ? { arranged } : {}),
    }
  }

  /** Goes where the consent is asked for, and comes back with the answer. */
  async give(url: URL): Promise<void> {
    const state = randomBytes(16).toString('base64url')
    const asked = await askConsent({
      url,
      state,
      challenge: this.#grants.challenge,
      identity: this.#identity,
      grant: await this.#grants.read(),
      knownClient: async (issuer) => this.#clients.get(issuer),
      rememberClient: async (issuer, client) => void this.#clients.set(issuer, client),
      fetch: this.#fetch,
    })
    const page = await fetch(asked.url, { redirect: 'manual' })
    const answer = new URL(page.headers.get('location') ?? '', REDIRECT_URL).searchParams
    if (answer.get('state') !== state) throw new Error('the state did not come back')
    this.#grants.put(await redeemConsent(asked.pending, answer, this.#fetch))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#fetch[Symbol.asyncDispose]()
  }
}
