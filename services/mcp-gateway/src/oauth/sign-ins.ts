import { randomBytes } from 'node:crypto'
import { askConsent, redeemConsent } from '@althing/mcp-client/auth/authorization'
import type { Grant } from '@althing/mcp-client/auth/grant'
import { revoke } from '@althing/mcp-client/auth/revocation'
import { AuthSession } from '@althing/mcp-client/auth/session'
import type { Target } from '@althing/mcp-client/target'
import { AppError } from '@althing/protocol/errors'
import type { Registration } from '@althing/protocol/model/server'
import type { Envelope } from '@althing/runtime/envelope'
import {
  challengeAt,
  DbClients,
  DbGrants,
  forgetPlace,
  keepPending,
  type Place,
  takePending,
} from '../db/oauth.ts'
import type { GatewayDb, ServerRow } from '../db/tables.ts'
import { registrationOf } from '../servers/registration.ts'
import type { WebFetches } from './web-fetches.ts'

const CLIENT_NAME = 'Althing'
const STATE_BYTES = 32

type HttpTarget = Extract<Target, { kind: 'http' }>

export interface SignInDeps {
  readonly db: GatewayDb
  readonly envelope: Envelope
  readonly fetches: WebFetches
  /** Where a row leads for a principal, and under which policy. */
  readonly resolve: (server: ServerRow, principal: string) => Promise<{ readonly target: Target }>
}

/** Where this instance is on the web. */
export interface Whereabouts {
  readonly redirect_url: string
  readonly client_metadata_url?: string | undefined
}

/** Consents of people to servers: asked for, redeemed, used and forgotten. */
export class SignIns {
  readonly #deps: SignInDeps

  constructor(deps: SignInDeps) {
    this.#deps = deps
  }

  /** The target with the tokens of a principal, where it is one that takes tokens and brings none of its own. */
  authorized(
    target: Target,
    serverId: string,
    principal: string,
    onSecret: (secret: string) => void,
  ): Target {
    if (target.kind !== 'http' || bringsCredentials(target)) return target
    const store = this.#grants(placeOf(target, serverId, principal))
    const fetch = this.#deps.fetches.for(target.policy)
    return { ...target, authorizer: new AuthSession({ store, fetch, onSecret }) }
  }

  /** Where to send `person` for the consent of a principal. Throws as `askConsent` does. */
  async start(server: ServerRow, principal: string, person: string, where: Whereabouts): Promise<URL> {
    const { db, envelope, fetches } = this.#deps
    const target = await this.#signInTarget(server, principal)
    const place = placeOf(target, server.id, principal)
    const clients = new DbClients(db, envelope, place)
    const state = randomBytes(STATE_BYTES).toString('base64url')
    const settings = settingsOf(registrationOf(server, envelope))
    const { url, pending } = await askConsent({
      url: target.url,
      state,
      challenge: await challengeAt(db, place),
      grant: await this.#readable(place),
      scopes: settings?.scopes,
      identity: {
        name: CLIENT_NAME,
        redirectUrl: where.redirect_url,
        ...(where.client_metadata_url === undefined ? {} : { metadataUrl: where.client_metadata_url }),
        ...arrangedIn(settings),
      },
      knownClient: (issuer) => clients.find(issuer),
      rememberClient: (issuer, client) => clients.put(issuer, client),
      fetch: fetches.for(target.policy),
    })
    await keepPending(db, envelope, state, { place, person, consent: pending })
    return url
  }

  /** Redeems what a person's browser brought back. Throws `not_found` for a state nobody waits for. */
  async finish(
    state: string,
    answer: Readonly<Record<string, string | undefined>>,
    person: string | undefined,
  ): Promise<{ readonly server: ServerRow; readonly place: Place; readonly person: string }> {
    const { db, envelope, fetches } = this.#deps
    const pending = await takePending(db, envelope, state, person)
    const server =
      pending &&
      (await db.selectFrom('servers').selectAll().where('id', '=', pending.place.serverId).executeTakeFirst())
    if (!pending || !server)
      throw new AppError('not_found', 'This sign-in is over, or was never begun. Begin it again.')
    const { policy } = await this.#signInTarget(server, pending.place.principal)
    const given = Object.entries(answer).filter((entry): entry is [string, string] => entry[1] !== undefined)
    const content = await redeemConsent(pending.consent, new URLSearchParams(given), fetches.for(policy))
    await this.#grants(pending.place).put(content)
    return { server, place: pending.place, person: pending.person }
  }

  /** Gives the tokens of a principal back, where the server takes them, and forgets them in any case. */
  async forget(server: ServerRow, principal: string): Promise<void> {
    const { db, fetches } = this.#deps
    const target = await this.#signInTarget(server, principal)
    const place = placeOf(target, server.id, principal)
    const grant = await this.#readable(place)
    await forgetPlace(db, place)
    if (grant) await revoke(grant, fetches.for(target.policy))
  }

  #grants(place: Place): DbGrants {
    return new DbGrants(this.#deps.db, this.#deps.envelope, place)
  }

  /** What no key opens is as good as forgotten. */
  async #readable(place: Place): Promise<Grant | undefined> {
    try {
      return await this.#grants(place).read()
    } catch (error) {
      if (error instanceof AppError && error.code === 'secret_unreadable') return undefined
      throw error
    }
  }

  async #signInTarget(server: ServerRow, principal: string): Promise<HttpTarget> {
    const { target } = await this.#deps.resolve(server, principal)
    if (target.kind === 'stdio')
      throw new AppError(
        'invalid_request',
        `The server "${server.name}" is a program: there is no sign-in to it.`,
      )
    if (bringsCredentials(target))
      throw new AppError('invalid_request', `The server "${server.name}" is reached with a key of its own.`)
    return target
  }
}

function bringsCredentials({ headers }: HttpTarget): boolean {
  return Object.keys(headers).some((name) => name.toLowerCase() === 'authorization')
}

function placeOf({ url }: HttpTarget, serverId: string, principal: string): Place {
  return { serverId, principal, url: url.href }
}

type OAuthSettings = Extract<Registration, { transport: 'http' }>['oauth']

function settingsOf(registration: Registration): OAuthSettings {
  return registration.transport === 'stdio' ? undefined : registration.oauth
}

function arrangedIn(settings: OAuthSettings) {
  if (settings?.client_id === undefined) return {}
  const { client_id, client_secret, issuer } = settings
  return {
    arranged: {
      client_id,
      ...(client_secret === undefined ? {} : { client_secret }),
      ...(issuer === undefined ? {} : { issuer }),
    },
  }
}
