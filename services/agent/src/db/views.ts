import type { Message, SessionState, SessionSummary, ToolCall } from '@althing/protocol/model/session'
import type { MessageRow, SessionRow, ToolCallRow } from './tables.ts'

export function toolCallView(row: ToolCallRow): ToolCall {
  return {
    id: row.id,
    name: row.name,
    arguments: row.arguments,
    status: row.status,
    ...(row.server === null ? {} : { server: row.server }),
    ...(row.tool === null ? {} : { tool: row.tool }),
    ...(row.result_type === null ? {} : { result_type: row.result_type, result: row.result }),
    ...(row.started_at === null ? {} : { started_at: row.started_at.toISOString() }),
    ...(row.ended_at === null ? {} : { ended_at: row.ended_at.toISOString() }),
  }
}

/** `parentCall` is the call that began the run of a sub-agent; null for the chat's own agent. */
export function messageView(
  row: MessageRow,
  calls: readonly ToolCallRow[],
  parentCall: string | null,
): Message {
  return {
    id: row.id,
    role: row.role,
    content: row.content,
    status: row.status,
    frame_id: row.frame_id ?? row.session_id,
    ...(parentCall === null ? {} : { parent_call_id: parentCall }),
    created_at: row.created_at.toISOString(),
    tool_calls: calls.map(toolCallView),
    ...(row.error === null ? {} : { error: row.error }),
  }
}

export function sessionView(row: SessionRow, state: SessionState): SessionSummary {
  return {
    id: row.id,
    title: row.title,
    agent: row.agent,
    state,
    updated_at: row.updated_at.toISOString(),
  }
}
