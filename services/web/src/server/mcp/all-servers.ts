import type { Offer } from '@althing/protocol/bus/gateway-relay'
import type { Actor } from '@althing/protocol/model/actor'
import type { ServerMethod } from '@althing/protocol/model/relay'
import type { Exchange } from './exchange.ts'
import { type Json, objectOf } from './message.ts'
import type { Offers } from './offers.ts'
import type { Relay } from './relay.ts'
import { offeredCapabilities, type Place, type View } from './view.ts'

/** Between a server's name, which holds no underscore, and the name of its prompt. */
const SEPARATOR = '__'
const MOST_PAGES = 50

const MEMBERS: Partial<Record<ServerMethod, string>> = {
  'resources/list': 'resources',
  'resources/templates/list': 'resourceTemplates',
  'prompts/list': 'prompts',
}

/** `/mcp`: all servers of a person as one. Tools have their aliases, prompts their server's name before them. */
export class AllServers implements View {
  readonly #offers: Offers
  readonly #relay: Relay
  /** Which server listed an address last, by person. */
  readonly #resources = new Map<string, string>()

  constructor(offers: Offers, relay: Relay) {
    this.#offers = offers
    this.#relay = relay
  }

  async describe(actor: Actor) {
    const { offers } = await this.#offers.of(actor, undefined)
    const capabilities = offeredCapabilities(
      offers.map((offer) => offer.capabilities),
      false,
    )
    const lines = offers.map(({ name, description }) => `- ${name}: ${description || 'no description'}`)
    const instructions = `The servers behind this endpoint; their tools are named mcp__<server>__<tool>.\n${lines.join('\n')}`
    return { capabilities, instructions: offers.length === 0 ? undefined : instructions }
  }

  async listTools({ actor }: Exchange): Promise<readonly Json[]> {
    return (await this.#offers.of(actor, undefined)).aliased
  }

  async findTool({ actor }: Exchange, name: string): Promise<Place | undefined> {
    const placed = (await this.#offers.of(actor, undefined)).byAlias.get(name)
    return placed && { server: placed.server, name: placed.tool.name }
  }

  /** What all servers list; one that fails costs its own part only. */
  async list(exchange: Exchange, method: ServerMethod): Promise<Json> {
    const member = MEMBERS[method] ?? ''
    const capability = method === 'prompts/list' ? 'prompts' : 'resources'
    const { offers } = await this.#offers.of(exchange.actor, undefined)
    const able = offers.filter((offer) => offer.state === 'running' && offer.capabilities?.[capability])
    const parts = await Promise.all(
      able.map((offer) => this.#listOf(exchange, offer, method, member).catch(() => [])),
    )
    return { [member]: parts.flat() }
  }

  async findPrompt(actor: Actor, name: string): Promise<Place | undefined> {
    const at = name.indexOf(SEPARATOR)
    const server = name.slice(0, at)
    const { offers } = await this.#offers.of(actor, undefined)
    const known = at > 0 && offers.some((offer) => offer.name === server)
    return known ? { server, name: name.slice(at + SEPARATOR.length) } : undefined
  }

  /** Who listed the address; for one that nobody listed, the first server that can read it. */
  async findResource(exchange: Exchange, uri: string): Promise<Place | undefined> {
    const { actor } = exchange
    const listed = this.#resources.get(`${actor.user} ${uri}`)
    if (listed !== undefined) return { server: listed, name: uri }
    const { offers } = await this.#offers.of(actor, undefined)
    for (const { name, state, capabilities } of offers) {
      if (state !== 'running' || capabilities?.resources === undefined) continue
      const found = await this.#relay.read(exchange, name, 'resources/read', { uri }).catch(() => undefined)
      if (found) return { server: name, name: uri }
    }
    return undefined
  }

  async sees(actor: Actor, serverId: string): Promise<boolean> {
    const { offers } = await this.#offers.of(actor, undefined)
    return offers.some((offer) => offer.server_id === serverId)
  }

  async #listOf(exchange: Exchange, { name }: Offer, method: ServerMethod, member: string): Promise<Json[]> {
    const found: Json[] = []
    let cursor: unknown
    for (let page = 0; page < MOST_PAGES; page++) {
      const params = cursor === undefined ? {} : { cursor }
      const result = await this.#relay.read(exchange, name, method, params)
      const entries = Array.isArray(result[member]) ? result[member].map(objectOf) : []
      found.push(...entries.map((entry) => this.#named(exchange.actor, name, method, entry)))
      if (typeof result.nextCursor !== 'string' || result.nextCursor === cursor) break
      cursor = result.nextCursor
    }
    return found
  }

  #named(actor: Actor, server: string, method: ServerMethod, entry: Json): Json {
    if (method === 'prompts/list') return { ...entry, name: `${server}${SEPARATOR}${entry.name}` }
    if (typeof entry.uri === 'string') this.#resources.set(`${actor.user} ${entry.uri}`, server)
    return entry
  }
}
