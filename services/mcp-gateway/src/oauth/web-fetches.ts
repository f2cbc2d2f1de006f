import { guardedWebFetch, type WebFetch } from '@althing/mcp-client/auth/web-fetch'
import type { AddressPolicy } from '@althing/mcp-client/transport/address-guard'

/** One pool of connections for each policy of which addresses may be reached. */
export class WebFetches implements AsyncDisposable {
  readonly #open = new Map<string, WebFetch & AsyncDisposable>()

  for({ loopback, private: inner }: AddressPolicy): WebFetch {
    const key = `${loopback} ${inner}`
    const fetch = this.#open.get(key) ?? guardedWebFetch({ loopback, private: inner })
    this.#open.set(key, fetch)
    return fetch
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#open.values()].map((fetch) => fetch[Symbol.asyncDispose]()))
  }
}
