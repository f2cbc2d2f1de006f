import * as z from 'zod'
import { Id } from './ids.ts'
import { JsonObject } from './json.ts'
import { CallProgress } from './tool.ts'

/**
 * A caller that speaks MCP itself. `inline`: what a server asks comes as a frame of the call and is answered by
 * `answerAsk`. `return`: it comes as a result that requires input, and the call is made again with the answers.
 */
export const CallerSide = z
  .object({ capabilities: JsonObject, asks: z.enum(['inline', 'return']) })
  .meta({ id: 'CallerSide' })
export type CallerSide = z.infer<typeof CallerSide>

/** What a call is made again with: answers by the keys of their questions, and the state exactly as it was given. */
export const CallRetry = z
  .object({ inputResponses: JsonObject.optional(), requestState: z.unknown().optional() })
  .meta({ id: 'CallRetry' })
export type CallRetry = z.infer<typeof CallRetry>

/** A question of a server to the caller: an MCP request, answered at the instance by its id. */
export const RelayedAsk = z
  .object({ id: Id, instance: z.string(), method: z.string(), params: JsonObject })
  .meta({ id: 'RelayedAsk' })
export type RelayedAsk = z.infer<typeof RelayedAsk>

/** What a call tells while it lasts. */
export const CallFrame = z
  .union([
    CallProgress,
    z.object({ ask: RelayedAsk }),
    z.object({ ask_ended: Id }),
    z.object({ notification: z.object({ method: z.string(), params: z.unknown() }) }),
  ])
  .meta({ id: 'CallFrame' })
export type CallFrame = z.infer<typeof CallFrame>

/** The requests that are passed to a server as they are. */
export const ServerMethod = z
  .enum([
    'resources/list',
    'resources/templates/list',
    'resources/read',
    'resources/subscribe',
    'resources/unsubscribe',
    'prompts/list',
    'prompts/get',
    'completion/complete',
  ])
  .meta({ id: 'ServerMethod' })
export type ServerMethod = z.infer<typeof ServerMethod>

/** The bytes of a raw answer: the server's own result, or the JSON-RPC error it gave. */
export const RawOutcome = z
  .union([
    z.object({ result: z.unknown() }),
    z.object({ error: z.object({ code: z.int(), message: z.string(), data: z.unknown().optional() }) }),
  ])
  .meta({ id: 'RawOutcome' })
export type RawOutcome = z.infer<typeof RawOutcome>
