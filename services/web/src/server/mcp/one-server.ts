import type { Actor } from '@althing/protocol/model/actor'
import type { ServerMethod } from '@althing/protocol/model/relay'
import type { Exchange } from './exchange.ts'
import type { Json } from './message.ts'
import type { Offers } from './offers.ts'
import type { Relay } from './relay.ts'
import { offeredCapabilities, type Place, type View } from './view.ts'

/** `/mcp/{server}`: one server, everything under its own names. */
export class OneServer implements View {
  readonly #name: string
  readonly #offers: Offers
  readonly #relay: Relay

  constructor(name: string, offers: Offers, relay: Relay) {
    this.#name = name
    this.#offers = offers
    this.#relay = relay
  }

  async describe(actor: Actor) {
    const { offers } = await this.#offers.of(actor, this.#name)
    const capabilities = offeredCapabilities(
      offers.map((offer) => offer.capabilities),
      false,
    )
    return { capabilities, instructions: offers[0]?.instructions }
  }

  async listTools({ actor }: Exchange): Promise<readonly Json[]> {
    return (await this.#offers.of(actor, this.#name)).own
  }

  async findTool(_exchange: Exchange, name: string): Promise<Place> {
    return { server: this.#name, name }
  }

  list(exchange: Exchange, method: ServerMethod): Promise<Json> {
    return this.#relay.read(exchange, this.#name, method, exchange.params)
  }

  async findPrompt(_actor: Actor, name: string): Promise<Place> {
    return { server: this.#name, name }
  }

  async findResource(_exchange: Exchange, uri: string): Promise<Place> {
    return { server: this.#name, name: uri }
  }

  async sees(actor: Actor, serverId: string): Promise<boolean> {
    const { offers } = await this.#offers.of(actor, this.#name)
    return offers.some((offer) => offer.server_id === serverId)
  }
}
