import type { Actor } from '@althing/protocol/model/actor'
import type { ServerMethod } from '@althing/protocol/model/relay'
import type { Exchange } from './exchange.ts'
import type { Json } from './message.ts'

/** Where a named thing is: the server, and the name or address it has there. */
export interface Place {
  readonly server: string
  readonly name: string
}

/** What one endpoint shows of a person's servers. */
export interface View {
  describe(actor: Actor): Promise<{ readonly capabilities: Json; readonly instructions: string | undefined }>
  listTools(exchange: Exchange): Promise<readonly Json[]>
  /** Where a tool is, for a call. Undefined: there is none of that name. */
  findTool(exchange: Exchange, name: string): Promise<Place | undefined>
  /** The result of a list of prompts, resources or templates. */
  list(exchange: Exchange, method: ServerMethod): Promise<Json>
  findPrompt(actor: Actor, name: string): Promise<Place | undefined>
  findResource(exchange: Exchange, uri: string): Promise<Place | undefined>
  /** Whether a change at a server is of any interest here. */
  sees(actor: Actor, serverId: string): Promise<boolean>
}

/** What is offered of a server's capabilities: those that are passed on. */
export function offeredCapabilities(own: readonly (Json | undefined)[], modern: boolean): Json {
  const has = (name: string) => own.some((capabilities) => capabilities?.[name] !== undefined)
  return {
    tools: { listChanged: true },
    ...(has('prompts') ? { prompts: { listChanged: true } } : {}),
    ...(has('resources') ? { resources: { listChanged: true, subscribe: true } } : {}),
    ...(has('completions') ? { completions: {} } : {}),
    ...(modern && !has('logging') ? {} : { logging: {} }),
  }
}
