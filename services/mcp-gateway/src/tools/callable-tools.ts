import type { RawTool } from '@althing/mcp-client/tool-list'
import { AppError } from '@althing/protocol/errors'

interface Known {
  readonly serverId: string
  readonly tools: ReadonlyMap<string, RawTool>
  held: ReadonlySet<string>
}

/** The tools that the connections of this instance may be called on, in memory, because every call asks. */
export class CallableTools {
  readonly #known = new Map<string, Known>()

  remember(
    connection: string,
    serverId: string,
    tools: ReadonlyMap<string, RawTool>,
    held: ReadonlySet<string>,
  ): void {
    this.#known.set(connection, { serverId, tools, held })
  }

  /** A person accepted a change, perhaps at another instance. */
  hold(serverId: string, held: ReadonlySet<string>): void {
    for (const known of this.#known.values()) if (known.serverId === serverId) known.held = held
  }

  has(serverId: string): boolean {
    return [...this.#known.values()].some((known) => known.serverId === serverId)
  }

  count(connection: string): number {
    return this.#known.get(connection)?.tools.size ?? 0
  }

  /** The definition of a tool that may be called. Throws `tool_not_found` or `tool_changed`. */
  mustFind(connection: string, server: string, name: string): RawTool {
    const known = this.#known.get(connection)
    const tool = known?.tools.get(name)
    if (tool === undefined)
      throw new AppError('tool_not_found', `The server "${server}" has no tool "${name}".`)
    if (known?.held.has(name)) {
      const text = `The tool "${name}" of "${server}" changed since it was accepted. Somebody has to look at the change first.`
      throw new AppError('tool_changed', text)
    }
    return tool
  }
}
