import { randomUUIDv7 } from 'node:crypto'
import { requestServer } from '@althing/protocol/bus/gateway-relay'
import { AppError } from '@althing/protocol/errors'
import * as http from '@althing/protocol/http/servers'
import type { JsonObject } from '@althing/protocol/model/json'
import { RawOutcome, type ServerMethod } from '@althing/protocol/model/relay'
import type { Bus } from '@althing/runtime/bus/bus'
import { decode } from '@althing/runtime/bus/frames'
import type { FastifyReply } from 'fastify'
import type { Connections, Target } from '../connections.ts'
import type { RouteBinder } from './bind.ts'
import { closedEarly } from './call-tool.ts'

const METHOD_NOT_FOUND = -32601
const MOST_PAGES = 50

/** Resources and prompts: what the server has said, passed on. */
export function bindOffer(routes: RouteBinder, bus: Bus, connections: Connections): void {
  const ask = async (target: Target, method: ServerMethod, params: JsonObject, reply: FastifyReply) => {
    const signal = closedEarly(reply)
    const input = { actor: target.actor, call_id: randomUUIDv7(), method, params }
    const bytes = await connections.run(
      target,
      (connection) => bus.stream(requestServer, { connection }, input, { signal }),
      signal,
    )
    return resultOf(RawOutcome.parse(decode(bytes)))
  }

  /** Every page of a list; a server that does not know the method has nothing to list. */
  const list = async (target: Target, method: ServerMethod, member: string, reply: FastifyReply) => {
    const found: JsonObject[] = []
    const seen = new Set<unknown>()
    let cursor: unknown
    for (let page = 0; page < MOST_PAGES; page++) {
      const result = await ask(target, method, cursor === undefined ? {} : { cursor }, reply).catch(nothing)
      found.push(...objectsIn(result[member]))
      cursor = result.nextCursor
      if (typeof cursor !== 'string' || seen.has(cursor)) break
      seen.add(cursor)
    }
    return found
  }

  routes.bind(http.listResources, async ({ actor, params, reply }) => {
    const target = { actor, name: params.name }
    const [resources, templates] = await Promise.all([
      list(target, 'resources/list', 'resources', reply),
      list(target, 'resources/templates/list', 'resourceTemplates', reply),
    ])
    return { resources, resource_templates: templates }
  })

  routes.bind(http.readResource, async ({ actor, params, body, reply }) => {
    const result = await ask({ actor, name: params.name }, 'resources/read', { uri: body.uri }, reply)
    return { contents: objectsIn(result.contents) }
  })

  routes.bind(http.listPrompts, async ({ actor, params, reply }) => ({
    prompts: await list({ actor, name: params.name }, 'prompts/list', 'prompts', reply),
  }))

  routes.bind(http.getPrompt, async ({ actor, params, body, reply }) => {
    const wanted = { name: body.name, arguments: body.arguments }
    const result = await ask({ actor, name: params.name }, 'prompts/get', wanted, reply)
    return {
      messages: objectsIn(result.messages),
      ...(typeof result.description === 'string' ? { description: result.description } : {}),
    }
  })
}

function resultOf(outcome: RawOutcome): JsonObject {
  if ('error' in outcome) {
    const text = `The server answered with an error: ${outcome.error.message}`
    throw new AppError('upstream_error', text, { details: { rpc_code: outcome.error.code } })
  }
  return (outcome.result ?? {}) as JsonObject
}

function nothing(error: unknown): JsonObject {
  if (error instanceof AppError && error.details.rpc_code === METHOD_NOT_FOUND) return {}
  throw error
}

function objectsIn(value: unknown): JsonObject[] {
  return Array.isArray(value)
    ? value.filter((one): one is JsonObject => typeof one === 'object' && one !== null)
    : []
}
