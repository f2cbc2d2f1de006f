import { readResult } from '@althing/mcp-client/result'
import { AppError } from '@althing/protocol/errors'
import type { Actor } from '@althing/protocol/model/actor'
import { encode } from '@althing/runtime/bus/frames'
import { EVERYONE } from '../db/tables.ts'
import { maySee } from '../servers/access.ts'
import type { Live } from '../servers/registry.ts'
import { outcomeOf } from '../tools/outcome.ts'

/** A call may wait this long for a server that is about to be back. */
const PATIENCE_MS = 5_000

interface CallInput {
  readonly actor: Actor
  readonly call_id: string
  readonly tool: string
  readonly arguments: Readonly<Record<string, unknown>>
  readonly timeout_ms?: number | undefined
}

interface CallDeps {
  readonly find: (connection: string) => Live | undefined
  readonly knows: (serverId: string, tool: string) => boolean
  readonly defaultTimeoutMs: number
  readonly traceMeta: () => Readonly<Record<string, string>> | null
}

interface StreamSide {
  readonly signal: AbortSignal
  progress(value: unknown): void
}

/** Calls one tool on a connection that this instance owns; gives the bytes of a CallResult. */
export function callTool({ find, knows, defaultTimeoutMs, traceMeta }: CallDeps) {
  return async (connection: string, input: CallInput, stream: StreamSide): Promise<Uint8Array> => {
    const live = find(connection)
    // Nothing was sent to the server: the caller may ask for the owner and try again.
    if (live === undefined)
      throw new AppError('unavailable', 'This gateway does not own the connection any more.')
    const { server, row } = live
    const theirs = row.principal === EVERYONE || row.principal === input.actor.user
    if (!theirs || !maySee(input.actor, server))
      throw new AppError('server_not_found', `There is no server "${server.name}".`)
    const ready = await live.supervisor.ready(PATIENCE_MS, stream.signal)
    if (!knows(server.id, input.tool))
      throw new AppError('tool_not_found', `The server "${server.name}" has no tool "${input.tool}".`)
    const meta = traceMeta()
    const raw = await ready.callTool({
      tool: input.tool,
      arguments: input.arguments,
      ...(meta === null ? {} : { meta }),
      timeoutMs: input.timeout_ms ?? server.call_timeout_ms ?? defaultTimeoutMs,
      signal: stream.signal,
      onProgress: (progress) => stream.progress(progress),
    })
    return encode(outcomeOf(input.call_id, readResult(raw)))
  }
}
