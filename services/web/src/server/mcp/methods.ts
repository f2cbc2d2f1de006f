import type { ServerMethod } from '@althing/protocol/model/relay'
import type { Exchange } from './exchange.ts'
import { Lazy } from './lazy.ts'
import {
  INVALID_PARAMS,
  type Json,
  METHOD_NOT_FOUND,
  objectOf,
  RpcError,
  SERVER_INFO,
  stringOf,
} from './message.ts'
import { endWith, type Relay } from './relay.ts'
import type { View } from './view.ts'

/** A list may be kept this long by its client; it is told of changes anyway. */
const LIST_TTL_MS = 60_000

/** Answers one request of an MCP client about what a view shows. Rejects with whatever went wrong. */
export async function answer(method: string, exchange: Exchange, view: View, relay: Relay): Promise<void> {
  const { params, reply, modern } = exchange
  switch (method) {
    case 'tools/call':
      return callTool(exchange, view, relay)
    case 'tools/list':
      return reply.outcome(toolListBytes(await view.listTools(exchange), modern, view instanceof Lazy))
    case 'prompts/list':
    case 'resources/list':
    case 'resources/templates/list':
      return reply.result(listed(await view.list(exchange, method), modern))
    case 'prompts/get': {
      const place = await view.findPrompt(exchange.actor, stringOf(params, 'name'))
      if (place === undefined) throw new RpcError(INVALID_PARAMS, `There is no prompt "${params.name}"`)
      return endWith(
        exchange,
        await relay.request(exchange, place.server, method, { ...params, name: place.name }),
      )
    }
    case 'resources/read':
      return readResource(exchange, view, relay)
    case 'completion/complete':
      return complete(exchange, view, relay)
    default:
      throw new RpcError(METHOD_NOT_FOUND, `Method not found: ${method.slice(0, 100)}`)
  }
}

const listBytes = new WeakMap<readonly Json[], Map<boolean, Uint8Array>>()

/** A list of tools as it is sent; the same list is written down once for each era. */
function toolListBytes(tools: readonly Json[], modern: boolean, lazy: boolean): Uint8Array {
  const known = listBytes.get(tools) ?? new Map<boolean, Uint8Array>()
  listBytes.set(tools, known)
  const written = known.get(modern)
  if (written) return written
  // What is activated changes the list at once, also for a client that does not listen.
  const result = listed({ tools }, modern, lazy ? 0 : LIST_TTL_MS)
  const bytes = Buffer.from(JSON.stringify({ result }))
  known.set(modern, bytes)
  return bytes
}

async function callTool(exchange: Exchange, view: View, relay: Relay): Promise<void> {
  const { params, reply, actor } = exchange
  const name = stringOf(params, 'name')
  if (actor.role === 'auditor') throw new RpcError(INVALID_PARAMS, 'Auditors look, and call nothing')
  const own = view instanceof Lazy ? await view.run(exchange, name) : undefined
  if (own !== undefined) return reply.result(own)
  const place = await view.findTool(exchange, name)
  if (place === undefined) throw new RpcError(INVALID_PARAMS, `There is no tool "${name}"`)
  endWith(exchange, await relay.callTool(exchange, place.server, place.name))
}

/** Subscribing is about a server too, and found in the same way. */
export async function subscribe(
  method: ServerMethod,
  exchange: Exchange,
  view: View,
  relay: Relay,
): Promise<void> {
  const place = await mustFindResource(exchange, view)
  // Others may still want to hear of it over the same connection: only this client stops listening.
  if (method === 'resources/subscribe') await relay.read(exchange, place.server, method, { uri: place.name })
  exchange.reply.result({})
}

async function readResource(exchange: Exchange, view: View, relay: Relay): Promise<void> {
  const { params, modern } = exchange
  const place = await mustFindResource(exchange, view)
  if (!modern) return endWith(exchange, await relay.request(exchange, place.server, 'resources/read', params))
  const result = await relay
    .read(exchange, place.server, 'resources/read', params)
    .catch((error: unknown) => {
      throw notFound(error, place.name)
    })
  exchange.reply.result(result.resultType === 'input_required' ? result : listed(result, true, 0))
}

/** Servers of the older era have another code for what is not there. */
function notFound(error: unknown, uri: string): unknown {
  if (!(error instanceof RpcError) || error.code !== -32002) return error
  return new RpcError(INVALID_PARAMS, error.message, { ...objectOf(error.data), uri })
}

async function mustFindResource(exchange: Exchange, view: View) {
  const uri = stringOf(exchange.params, 'uri')
  const place = await view.findResource(exchange, uri)
  if (place === undefined) throw new RpcError(INVALID_PARAMS, 'There is no such resource', { uri })
  return place
}

async function complete(exchange: Exchange, view: View, relay: Relay): Promise<void> {
  const { params, actor } = exchange
  const ref = objectOf(params.ref)
  const place =
    ref.type === 'ref/prompt'
      ? await view.findPrompt(actor, stringOf(ref, 'name'))
      : await view.findResource(exchange, stringOf(ref, 'uri'))
  if (place === undefined) throw new RpcError(INVALID_PARAMS, 'ref: there is no such thing')
  const there = ref.type === 'ref/prompt' ? { ...ref, name: place.name } : ref
  endWith(
    exchange,
    await relay.request(exchange, place.server, 'completion/complete', { ...params, ref: there }),
  )
}

/** What the 2026-07-28 era wants to know of a list: how long it may be kept, and that it is one person's. */
export function listed(result: Json, modern: boolean, ttlMs = LIST_TTL_MS): Json {
  if (!modern) return result
  const own = typeof result.ttlMs === 'number' ? Math.min(result.ttlMs, ttlMs) : ttlMs
  return {
    resultType: 'complete',
    ...result,
    ttlMs: Math.max(0, Math.floor(own)),
    cacheScope: 'private',
    _meta: { ...objectOf(result._meta), 'io.modelcontextprotocol/serverInfo': SERVER_INFO },
  }
}
