import * as z from 'zod'
import { Id, Timestamp } from './ids.ts'
import { JsonValue } from './json.ts'
import { CallProgress, MediaRef } from './tool.ts'

/**
 * The life of one tool call in a turn. `unknown`: it was sent, and nobody knows whether it ran.
 */
export const ToolCallStatus = z
  .enum(['queued', 'waiting', 'running', 'done', 'failed', 'cancelled', 'rejected', 'unknown'])
  .meta({ id: 'ToolCallStatus' })
export type ToolCallStatus = z.infer<typeof ToolCallStatus>

/** `name` is what the model called; `server` and `tool` are set when it is an MCP tool. */
export const ToolCall = z
  .object({
    id: Id,
    name: z.string(),
    server: z.string().optional(),
    tool: z.string().optional(),
    arguments: JsonValue,
    status: ToolCallStatus,
    result_type: z.enum(['string', 'json']).optional(),
    result: JsonValue.optional(),
    media: z.array(MediaRef).optional(),
    progress: CallProgress.optional(),
    started_at: Timestamp.optional(),
    ended_at: Timestamp.optional(),
  })
  .meta({ id: 'ToolCall' })
export type ToolCall = z.infer<typeof ToolCall>

/** `streaming`: text still grows. `stopped`: a person ended it, the text so far is kept. */
export const MessageStatus = z
  .enum(['queued', 'streaming', 'done', 'stopped', 'failed'])
  .meta({ id: 'MessageStatus' })

/** A message of a chat. An assistant message is one round of a turn: its text, then its calls. */
export const Message = z
  .object({
    id: Id,
    role: z.enum(['user', 'assistant']),
    content: z.string(),
    status: MessageStatus,
    error: z.string().optional(),
    /** The run it belongs to: the chat's own id, or that of a sub-agent. */
    frame_id: Id,
    /** For a message of a sub-agent: the call that began its run. */
    parent_call_id: Id.optional(),
    created_at: Timestamp,
    tool_calls: z.array(ToolCall),
  })
  .meta({ id: 'Message' })
export type Message = z.infer<typeof Message>

export const Usage = z
  .object({ input_tokens: z.int(), output_tokens: z.int(), requests: z.int() })
  .meta({ id: 'Usage' })

/** `waiting`: a person must answer something first. */
export const SessionState = z.enum(['idle', 'running', 'waiting']).meta({ id: 'SessionState' })
export type SessionState = z.infer<typeof SessionState>

export const SessionSummary = z
  .object({ id: Id, title: z.string(), agent: z.string(), state: SessionState, updated_at: Timestamp })
  .meta({ id: 'SessionSummary' })
export type SessionSummary = z.infer<typeof SessionSummary>

export const Session = SessionSummary.extend({
  grants: z.array(z.string()),
  messages: z.array(Message),
  usage: Usage,
}).meta({ id: 'Session' })
export type Session = z.infer<typeof Session>

/** A model that a turn can use. `scripted` marks the demo, which is no AI. */
export const Model = z
  .object({ id: z.string(), label: z.string(), provider: z.string(), scripted: z.boolean() })
  .meta({ id: 'Model' })
export type Model = z.infer<typeof Model>

export const ModelList = z
  .object({ models: z.array(Model), default: z.string().nullable() })
  .meta({ id: 'ModelList' })
