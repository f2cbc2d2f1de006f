import type { Actor } from '@althing/protocol/model/actor'
import type { Tool } from '@althing/protocol/model/tool'
import type { Grants } from '../grants/grants.ts'
import { providerSchema } from '../llm/schema.ts'
import type { BuiltIn } from '../tools/built-in.ts'
import type { Gateway } from './gateway.ts'

/** A tool as the model is offered it. */
export interface OfferedTool {
  readonly name: string
  readonly description: string
  readonly schema: Record<string, unknown>
  readonly target:
    | { readonly kind: 'built-in'; readonly builtIn: BuiltIn }
    | {
        readonly kind: 'mcp'
        readonly server: { readonly id: string; readonly name: string }
        readonly tool: Tool
      }
}

/**
 * The tools of one round: the built-ins, then those of each active group in the order of activation, so that the
 * array only grows at its end. A group whose server is gone, or was made anew, is dropped.
 */
export async function toolList(
  actor: Actor,
  builtIns: readonly BuiltIn[],
  grants: Grants,
  gateway: Gateway,
  mayOffer: (tool: Tool, serverId: string) => boolean,
): Promise<OfferedTool[]> {
  const own = builtIns.map((builtIn) => ({
    name: builtIn.name,
    description: builtIn.description,
    schema: builtIn.schema,
    target: { kind: 'built-in' as const, builtIn },
  }))
  const granted = await Promise.all(
    (await grants.list()).map(async (grant): Promise<OfferedTool[]> => {
      const list = await gateway.tools(actor, grant.name).catch(() => undefined)
      if (list === undefined) return []
      if (list.server_id !== grant.serverId) {
        await grants.remove(grant.serverId)
        return []
      }
      return list.tools
        .filter((tool) => mayOffer(tool, grant.serverId))
        .map((tool) => ({
          name: tool.alias,
          description: tool.description,
          schema: providerSchema(tool.input_schema),
          target: { kind: 'mcp', server: { id: grant.serverId, name: grant.name }, tool },
        }))
    }),
  )
  return [...own, ...granted.flat()]
}
