import { listOffers, type Offer, offerChanged } from '@althing/protocol/bus/gateway-relay'
import type { Actor } from '@althing/protocol/model/actor'
import type { Tool } from '@althing/protocol/model/tool'
import type { Bus } from '@althing/runtime/bus/bus'
import { mcpTool } from './mcp-tool.ts'
import type { Json } from './message.ts'

const BELIEVED_MS = 60_000
const MOST_KNOWN = 5_000

/** A tool and where it is. */
export interface Placed {
  readonly server: string
  readonly tool: Tool
}

/** What one person's servers offer, with the tools by their aliases. */
export interface Whole {
  readonly offers: readonly Offer[]
  readonly byAlias: ReadonlyMap<string, Placed>
  /** The tools as MCP has them, made once: under their aliases, and under their own names. */
  readonly aliased: readonly Json[]
  readonly own: readonly Json[]
}

export type OfferChange = {
  readonly server: string
  readonly what: string
  readonly params?: Record<string, unknown> | undefined
}

interface Known {
  readonly whole: Promise<Whole>
  readonly until: number
}

/** What servers offer, asked once and believed until a gateway says that it changed. */
export class Offers implements AsyncDisposable {
  readonly #bus: Bus
  readonly #known = new Map<string, Known>()
  readonly #listeners = new Set<(change: OfferChange) => void>()
  readonly #subscription: AsyncDisposable

  constructor(bus: Bus) {
    this.#bus = bus
    this.#subscription = bus.listen(offerChanged, null, ({ server, what, params }) => {
      if (what === 'tools') this.#known.clear()
      for (const listener of [...this.#listeners]) listener({ server, what, params })
    })
  }

  /** Everything of a person, or one server of theirs by its name. Rejects with `server_not_found`. */
  of(actor: Actor, name: string | undefined): Promise<Whole> {
    const key = `${actor.user}/${actor.role}/${name ?? ''}`
    const known = this.#known.get(key)
    if (known && known.until > performance.now()) return known.whole
    const whole = this.#bus
      .call(listOffers, { actor, ...(name === undefined ? {} : { name }) })
      .then(({ offers }) => ({
        offers,
        byAlias: aliasTable(offers),
        aliased: offers.flatMap(({ tools }) => tools.map((tool) => mcpTool(tool, tool.alias))),
        own: offers.flatMap(({ tools }) => tools.map((tool) => mcpTool(tool, tool.name))),
      }))
    const entry = { whole, until: performance.now() + BELIEVED_MS }
    this.#known.set(key, entry)
    whole.catch(() => {
      if (this.#known.get(key) === entry) this.#known.delete(key)
    })
    if (this.#known.size > MOST_KNOWN) {
      const [oldest] = this.#known.keys()
      if (oldest !== undefined) this.#known.delete(oldest)
    }
    return whole
  }

  /** Hears every change until disposed. */
  watch(listener: (change: OfferChange) => void): Disposable {
    this.#listeners.add(listener)
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#subscription[Symbol.asyncDispose]()
  }
}

function aliasTable(offers: readonly Offer[]): Map<string, Placed> {
  return new Map(
    offers.flatMap(({ name, tools }) => tools.map((tool) => [tool.alias, { server: name, tool }])),
  )
}
