import type { Actor } from '@althing/protocol/model/actor'
import type { ServerMethod } from '@althing/protocol/model/relay'
import type { Exchange } from './exchange.ts'
import { mcpTool } from './mcp-tool.ts'
import { type Json, mustBeArguments } from './message.ts'
import type { Offers } from './offers.ts'
import type { Place, View } from './view.ts'

export const ACTIVATE = 'activate_tools'
export const FIND = 'find_tools'
const MOST_FOUND = 20
const MOST_SESSIONS = 10_000

const TOOLS: readonly Json[] = [
  {
    name: ACTIVATE,
    description: 'Makes the tools of servers available. Give the names of servers as find_tools tells them.',
    inputSchema: {
      type: 'object',
      properties: { servers: { type: 'array', items: { type: 'string' }, minItems: 1 } },
      required: ['servers'],
    },
  },
  {
    name: FIND,
    description:
      'Finds tools by words of their names and descriptions. Without a query it lists the servers.',
    inputSchema: { type: 'object', properties: { query: { type: 'string' } } },
    annotations: { readOnlyHint: true },
  },
]

/** `?lazy=1`: two tools at first, those of a server once it was activated, so that a client's context stays small. */
export class Lazy implements View {
  readonly #inner: View
  readonly #offers: Offers
  /** The servers that a session activated. */
  readonly #active = new Map<string, Set<string>>()
  readonly #onActivated: (key: string) => void

  constructor(inner: View, offers: Offers, onActivated: (key: string) => void) {
    this.#inner = inner
    this.#offers = offers
    this.#onActivated = onActivated
  }

  describe(actor: Actor) {
    return this.#inner.describe(actor)
  }

  async listTools({ actor, key }: Exchange): Promise<readonly Json[]> {
    const active = this.#active.get(key)
    if (active === undefined) return TOOLS
    const { offers } = await this.#offers.of(actor, undefined)
    const shown = offers.filter((offer) => active.has(offer.name))
    return [...TOOLS, ...shown.flatMap(({ tools }) => tools.map((tool) => mcpTool(tool, tool.alias)))]
  }

  findTool(exchange: Exchange, name: string): Promise<Place | undefined> {
    return this.#inner.findTool(exchange, name)
  }

  list(exchange: Exchange, method: ServerMethod): Promise<Json> {
    return this.#inner.list(exchange, method)
  }

  findPrompt(actor: Actor, name: string): Promise<Place | undefined> {
    return this.#inner.findPrompt(actor, name)
  }

  findResource(exchange: Exchange, uri: string): Promise<Place | undefined> {
    return this.#inner.findResource(exchange, uri)
  }

  sees(actor: Actor, serverId: string): Promise<boolean> {
    return this.#inner.sees(actor, serverId)
  }

  /** The result of one of its own tools; undefined for every other name. */
  async run(exchange: Exchange, name: string): Promise<Json | undefined> {
    if (name === ACTIVATE) return this.#activate(exchange)
    return name === FIND ? this.#find(exchange) : undefined
  }

  async #activate({ actor, key, params }: Exchange): Promise<Json> {
    const { servers } = mustBeArguments(params)
    const wanted = Array.isArray(servers) ? servers.map(String) : []
    if (wanted.length === 0) return told({ error: 'servers: give a list of server names' }, true)
    const { offers } = await this.#offers.of(actor, undefined)
    const active = this.#active.get(key) ?? new Set<string>()
    const groups = wanted.map((name) => {
      const offer = offers.find((one) => one.name === name)
      if (offer === undefined) return { server: name, status: 'unknown' }
      if (offer.state === 'needs_auth' || offer.state === 'failed')
        return { server: name, status: offer.state }
      active.add(name)
      return { server: name, status: 'activated', tools: offer.tools.map((tool) => tool.alias) }
    })
    this.#active.delete(key)
    this.#active.set(key, active)
    const [oldest] = this.#active.keys()
    if (this.#active.size > MOST_SESSIONS && oldest !== undefined) this.#active.delete(oldest)
    this.#onActivated(key)
    return told({ groups })
  }

  async #find({ actor, params }: Exchange): Promise<Json> {
    const { query } = mustBeArguments(params)
    const { offers, byAlias } = await this.#offers.of(actor, undefined)
    const words = typeof query === 'string' ? query.toLowerCase().split(/\W+/).filter(Boolean) : []
    if (words.length === 0) {
      return told({
        servers: offers.map(({ name, description, tools }) => ({
          server: name,
          description,
          tools: tools.length,
        })),
      })
    }
    const found = [...byAlias.values()]
      .map(({ server, tool }) => {
        const text = `${server} ${tool.name} ${tool.title ?? ''} ${tool.description}`.toLowerCase()
        const hits = words.filter((word) => text.includes(word)).length
        return { hits, entry: { name: tool.alias, server, description: tool.description.slice(0, 300) } }
      })
      .filter(({ hits }) => hits > 0)
      .sort((one, other) => other.hits - one.hits)
    return told({ tools: found.slice(0, MOST_FOUND).map(({ entry }) => entry), found: found.length })
  }
}

function told(value: Json, isError = false): Json {
  return {
    content: [{ type: 'text', text: JSON.stringify(value) }],
    structuredContent: value,
    ...(isError ? { isError } : {}),
  }
}
