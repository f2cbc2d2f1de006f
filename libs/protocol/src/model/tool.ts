import * as z from 'zod'
import { Id } from './ids.ts'
import { JsonObject, JsonValue } from './json.ts'
import { Code } from './problem.ts'

/** The MCP tool annotations a host acts on; a server's other annotations pass through. */
export const ToolAnnotations = z
  .looseObject({
    title: z.string().optional(),
    readOnlyHint: z.boolean().optional(),
    destructiveHint: z.boolean().optional(),
    idempotentHint: z.boolean().optional(),
    openWorldHint: z.boolean().optional(),
  })
  .meta({ id: 'ToolAnnotations' })

/** A tool of a server. `alias` is its model-facing name, `mcp__<server>__<tool>`, unique for the person. */
export const Tool = z
  .object({
    name: z.string(),
    alias: z.string(),
    title: z.string().optional(),
    description: z.string(),
    input_schema: JsonObject,
    output_schema: JsonObject.optional(),
    annotations: ToolAnnotations.optional(),
    pinned: z.object({ state: z.enum(['accepted', 'changed']), diff: z.string().optional() }),
  })
  .meta({ id: 'Tool' })
export type Tool = z.infer<typeof Tool>

/** A tool that could not be offered, and why. The rest of the list is not affected. */
export const ToolProblem = z
  .object({ tool: z.string(), code: Code, detail: z.string() })
  .meta({ id: 'ToolProblem' })
export type ToolProblem = z.infer<typeof ToolProblem>

export const MediaRef = z
  .object({ url: z.string(), mime_type: z.string(), bytes: z.int() })
  .meta({ id: 'MediaRef' })
export type MediaRef = z.infer<typeof MediaRef>

/**
 * What a tool call gave. `result_type` says how to read `result`: `string` is text, `json` any JSON value.
 * `is_error` is the server's own word that the call failed.
 */
export const CallResult = z
  .object({
    call_id: Id,
    is_error: z.boolean(),
    result_type: z.enum(['string', 'json']),
    result: JsonValue,
    media: z.array(MediaRef),
    warnings: z.array(z.string()),
  })
  .meta({ id: 'CallResult' })
export type CallResult = z.infer<typeof CallResult>

/** MCP progress: `progress` grows, `total` is there when known. */
export const CallProgress = z
  .object({ progress: z.number(), total: z.number().optional(), message: z.string().optional() })
  .meta({ id: 'CallProgress' })
export type CallProgress = z.infer<typeof CallProgress>

/** Milliseconds a single call may take. */
export const CallTimeoutMs = z.int().min(1).max(3_600_000)
