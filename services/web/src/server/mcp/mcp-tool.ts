import type { Tool } from '@althing/protocol/model/tool'
import type { Json } from './message.ts'

/** A tool as MCP has it. */
export function mcpTool(tool: Tool, name: string): Json {
  return {
    name,
    ...(tool.title === undefined ? {} : { title: tool.title }),
    description: tool.description,
    inputSchema: tool.input_schema,
    ...(tool.output_schema === undefined ? {} : { outputSchema: tool.output_schema }),
    ...(tool.annotations === undefined ? {} : { annotations: tool.annotations }),
  }
}
