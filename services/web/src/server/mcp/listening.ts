import type { ServerResponse } from 'node:http'
import type { Actor } from '@althing/protocol/model/actor'
import type { Json } from './message.ts'
import type { OfferChange, Offers } from './offers.ts'
import type { View } from './view.ts'

const HEARTBEAT_MS = 15_000
/** Many changes at once are told once. */
const SETTLE_MS = 100

const METHODS: Readonly<Record<string, string>> = {
  tools: 'notifications/tools/list_changed',
  prompts: 'notifications/prompts/list_changed',
  resources: 'notifications/resources/list_changed',
}

/** What a client of the 2026-07-28 era wants to hear; a client of the older era hears every change of a list. */
export interface Filter {
  readonly toolsListChanged?: boolean
  readonly promptsListChanged?: boolean
  readonly resourcesListChanged?: boolean
  readonly resourceSubscriptions?: readonly string[]
}

export interface Listener {
  readonly actor: Actor
  readonly view: View
  readonly key: string
  readonly wants: (method: string, uri: string | undefined) => boolean
  /** What every notification carries in its `_meta`. */
  readonly meta: Json | undefined
  /** Whether the person may still listen. */
  readonly stillMay: () => Promise<boolean>
}

/** The streams on which clients wait for what happens. */
export class Listening implements AsyncDisposable {
  readonly #open = new Map<ServerResponse, Listener>()
  readonly #offers: Offers
  readonly #watching: Disposable

  constructor(offers: Offers) {
    this.#offers = offers
    this.#watching = offers.watch((change) => void this.#changed(change))
  }

  /** Opens a stream for a client; `first` is its first message. */
  open(response: ServerResponse, listener: Listener, first?: Json): void {
    response.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    })
    if (first === undefined) response.flushHeaders()
    else write(response, first)
    const beat = setInterval(async () => {
      if (await listener.stillMay().catch(() => true)) response.write(': still here\n\n')
      else response.end()
    }, HEARTBEAT_MS)
    this.#open.set(response, listener)
    response.once('close', () => {
      clearInterval(beat)
      this.#open.delete(response)
    })
  }

  /** A session activated tools: its own list changed. */
  toolsChanged(key: string): void {
    for (const [response, listener] of this.#open)
      if (listener.key === key) this.#tell(response, listener, METHODS.tools ?? '', undefined)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#watching[Symbol.dispose]()
    for (const response of this.#open.keys()) response.end()
    await this.#offers[Symbol.asyncDispose]()
  }

  async #changed({ server, what, params }: OfferChange): Promise<void> {
    const before = [...this.#open]
    const saw = await Promise.all(
      before.map(([, { view, actor }]) => view.sees(actor, server).catch(() => false)),
    )
    if (what === 'tools') await new Promise((resolve) => setTimeout(resolve, SETTLE_MS))
    const uri = typeof params?.uri === 'string' ? params.uri : undefined
    const method = what === 'resource' ? 'notifications/resources/updated' : METHODS[what]
    if (method === undefined) return
    for (const [index, [response, listener]] of before.entries()) {
      const sees = saw[index] || (await listener.view.sees(listener.actor, server).catch(() => false))
      if (sees && this.#open.has(response)) this.#tell(response, listener, method, uri)
    }
  }

  #tell(response: ServerResponse, { wants, meta }: Listener, method: string, uri: string | undefined): void {
    if (!wants(method, uri)) return
    const params = { ...(uri === undefined ? {} : { uri }), ...(meta === undefined ? {} : { _meta: meta }) }
    write(response, { jsonrpc: '2.0', method, ...(Object.keys(params).length > 0 ? { params } : {}) })
  }
}

/** Exactly what was asked for. */
export function filterOf(raw: Json): Filter {
  const uris = Array.isArray(raw.resourceSubscriptions) ? raw.resourceSubscriptions.map(String) : []
  return {
    ...(raw.toolsListChanged === true ? { toolsListChanged: true } : {}),
    ...(raw.promptsListChanged === true ? { promptsListChanged: true } : {}),
    ...(raw.resourcesListChanged === true ? { resourcesListChanged: true } : {}),
    ...(uris.length > 0 ? { resourceSubscriptions: uris } : {}),
  }
}

export function wantedBy(filter: Filter): Listener['wants'] {
  const uris = new Set(filter.resourceSubscriptions)
  return (method, uri) => {
    if (method === METHODS.tools) return filter.toolsListChanged === true
    if (method === METHODS.prompts) return filter.promptsListChanged === true
    if (method === METHODS.resources) return filter.resourcesListChanged === true
    return uri !== undefined && uris.has(uri)
  }
}

function write(response: ServerResponse, message: Json): void {
  if (!response.writableEnded) response.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`)
}
