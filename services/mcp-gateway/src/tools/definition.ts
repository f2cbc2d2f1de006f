import type { RawTool } from '@althing/mcp-client/tool-list'
import { type Tool, ToolAnnotations } from '@althing/protocol/model/tool'
import { aliasOf } from './alias.ts'

/** A server's own definition of a tool as the product knows it. */
export function definitionOf(server: string, raw: RawTool): Tool {
  const annotations = ToolAnnotations.safeParse(raw.annotations)
  return {
    name: raw.name,
    alias: aliasOf(server, raw.name),
    description: raw.description ?? '',
    input_schema: raw.inputSchema,
    pinned: { state: 'accepted' },
    ...(raw.title === undefined ? {} : { title: raw.title }),
    ...(raw.outputSchema === undefined ? {} : { output_schema: raw.outputSchema }),
    ...(raw.annotations !== undefined && annotations.success ? { annotations: annotations.data } : {}),
  }
}
