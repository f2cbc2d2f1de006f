import { AppError } from '@althing/protocol/errors'
import type { AgentFile } from '../agents/agent-file.ts'
import type { Gateway } from '../turn/gateway.ts'
import type { BuiltIn } from './built-in.ts'

/** What there is: servers with their state, agents, and what this instance has none of yet. */
export function listItems(gateway: Gateway, agents: readonly AgentFile[]): BuiltIn {
  return {
    name: 'list_items',
    description: 'Lists what there is: MCP servers with their state, agents, schedules, plugins.',
    schema: {
      type: 'object',
      properties: { type: { type: 'string', enum: ['mcp', 'plugins', 'cron', 'agents'] } },
      required: ['type'],
      additionalProperties: false,
    },
    async run({ type }, { actor }) {
      if (type === 'agents') {
        return {
          agents: agents
            .filter((one) => one.type !== 'system')
            .map(({ name, description }) => ({ name, description })),
        }
      }
      if (type === 'plugins' || type === 'cron')
        return { [type]: [], note: 'There are none on this instance.' }
      if (type !== 'mcp') throw new AppError('invalid_request', 'type: one of mcp, plugins, cron, agents')
      const servers = await gateway.servers(actor)
      return {
        servers: servers.map(({ name, transport, description, friendly_name, state, tool_count, error }) => ({
          name,
          transport,
          description,
          friendly_name,
          state,
          tools: tool_count,
          ...(error ? { last_error: error.detail } : {}),
        })),
      }
    },
  }
}
