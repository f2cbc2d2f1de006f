import { AppError } from '@althing/protocol/errors'
import type { Actor } from '@althing/protocol/model/actor'
import type { Tool } from '@althing/protocol/model/tool'
import type { GatewayDb, ServerRow } from '../db/tables.ts'
import type { ToolTable } from '../db/tools.ts'
import { mustBeAllowedToChange } from '../servers/access.ts'
import { mustFind } from './find-server.ts'

interface AcceptDeps {
  readonly db: GatewayDb
  readonly tools: ToolTable
  readonly onAccepted: (server: ServerRow) => void
}

type Input = { actor: Actor; name: string; tool: string; diff?: string | undefined }

/** Accepts a changed definition, exactly the one whose difference was shown. */
export function acceptTool({ db, tools, onAccepted }: AcceptDeps) {
  return async ({ actor, name, tool, diff }: Input): Promise<Tool> => {
    const server = await mustFind(db, actor, name)
    mustBeAllowedToChange(actor, server)
    const accepted = await tools.accept(server, tool, actor.user, diff)
    if (accepted === undefined) {
      const known = (await tools.of(server)).find((one) => one.name === tool)
      if (known === undefined)
        throw new AppError('tool_not_found', `The server "${name}" has no tool "${tool}".`)
      if (known.pinned.state === 'accepted') return known
      throw new AppError('conflict', 'The tool changed again: look at the new difference.')
    }
    onAccepted(server)
    return accepted
  }
}
