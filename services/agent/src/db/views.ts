import type { Message, SessionSummary, ToolCall } from '@althing/protocol/model/session'
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

/** Until there are sub-agents, a session is its own and only frame. */
export function messageView(row: MessageRow, calls: readonly ToolCallRow[]): Message {
  return {
    id: row.id,
    role: row.role,
    content: row.content,
    status: row.status,
    frame_id: row.session_id,
    created_at: row.created_at.toISOString(),
    tool_calls: calls.map(toolCallView),
    ...(row.error === null ? {} : { error: row.error }),
  }
}

export function sessionView(row: SessionRow, running: boolean): SessionSummary {
  return {
    id: row.id,
    title: row.title,
    agent: row.agent,
    state: running ? 'running' : 'idle',
    updated_at: row.updated_at.toISOString(),
  }
}
