import { AppError } from '@althing/protocol/errors'
import type { Grants } from '../grants/grants.ts'
import type { Gateway } from '../turn/gateway.ts'
import type { BuiltIn } from './built-in.ts'

type Outcome = 'activated' | 'needs_auth' | 'failed' | 'unknown' | 'not_allowed'

interface Answer {
  readonly group: string
  readonly outcome: Outcome
  readonly prefix?: string
  readonly tools?: number
  readonly reason?: string
}

/** Activates tool groups: their tools are there from the next round on. Says for each group what became of it. */
export function activateTools(gateway: Gateway, grants: Grants): BuiltIn {
  return {
    name: 'activate_tools',
    description: 'Loads the tools of MCP servers by name. They can be called from the next step on.',
    schema: {
      type: 'object',
      properties: { groups: { type: 'array', items: { type: 'string' }, description: 'Names of servers.' } },
      required: ['groups'],
      additionalProperties: false,
    },
    async run({ groups }, { actor }) {
      if (!Array.isArray(groups) || groups.some((group) => typeof group !== 'string')) {
        throw new AppError('invalid_request', 'groups: give a list of server names')
      }
      const servers = await gateway.servers(actor)
      const answers: Answer[] = []
      for (const group of groups as string[]) {
        const server = servers.find((one) => one.name === group)
        if (server === undefined) {
          const known = servers.filter((one) => one.enabled).map((one) => one.name)
          answers.push({
            group,
            outcome: 'unknown',
            reason: `There is no such server. There are: ${known.join(', ') || 'none'}.`,
          })
        } else if (!server.enabled) answers.push({ group, outcome: 'failed', reason: 'It is switched off.' })
        else if (server.state === 'needs_auth')
          answers.push({
            group,
            outcome: 'needs_auth',
            reason: server.error?.detail ?? 'It asks for a sign-in.',
          })
        else if (server.state === 'failed')
          answers.push({ group, outcome: 'failed', reason: server.error?.detail ?? 'It does not run.' })
        else {
          await grants.add({ serverId: server.id, name: server.name })
          answers.push({
            group,
            outcome: 'activated',
            prefix: `mcp__${server.name}__`,
            tools: server.tool_count,
          })
        }
      }
      return { groups: answers }
    },
  }
}
