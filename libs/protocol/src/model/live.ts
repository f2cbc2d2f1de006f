import * as z from 'zod'
import { Briefing } from './briefing.ts'
import { EventState } from './event.ts'
import { Id, Timestamp } from './ids.ts'
import { LogLine } from './log.ts'
import { Failure } from './problem.ts'
import { ServerState } from './server.ts'
import { Message, SessionState, ToolCall } from './session.ts'
import { CallProgress } from './tool.ts'

const of = <const T extends string, S extends z.core.$ZodLooseShape>(type: T, data: S) =>
  z.object({ type: z.literal(type), data: z.object(data) })

/** What a browser is told as it happens. `type` is the SSE event name, `data` its body. */
export const LiveEvent = z
  .discriminatedUnion('type', [
    of('turn.state', {
      session_id: Id,
      turn_id: Id,
      state: SessionState,
      outcome: z.enum(['done', 'stopped', 'failed']).optional(),
      grants: z.array(z.string()).optional(),
      title: z.string().optional(),
      error: z.string().optional(),
    }),
    of('message.created', { session_id: Id, message: Message }),
    of('message.delta', { session_id: Id, message_id: Id, text: z.string(), offset: z.int() }),
    of('message.done', { session_id: Id, message: Message }),
    of('tool.started', { session_id: Id, message_id: Id, tool_call: ToolCall }),
    of('tool.progress', { session_id: Id, tool_call_id: Id, progress: CallProgress }),
    of('tool.done', { session_id: Id, message_id: Id, tool_call: ToolCall }),
    of('inbox.changed', { total: z.int() }),
    of('server.state', {
      server_id: Id,
      name: z.string(),
      state: z.union([ServerState, z.literal('deleted')]),
      state_since: Timestamp,
      tool_count: z.int(),
      error: Failure.optional(),
    }),
    of('server.log', { server_id: Id, name: z.string(), line: LogLine }),
    of('briefing.created', { briefing: Briefing }),
    of('event.received', { id: Id, server: z.string(), method: z.string(), state: EventState }),
  ])
  .meta({ id: 'LiveEvent' })
export type LiveEvent = z.infer<typeof LiveEvent>
export type LiveEventType = LiveEvent['type']
