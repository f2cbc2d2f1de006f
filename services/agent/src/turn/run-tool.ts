import { AppError } from '@althing/protocol/errors'
import type { Actor } from '@althing/protocol/model/actor'
import type { Server } from '@althing/protocol/model/server'
import type { ToolCallStatus } from '@althing/protocol/model/session'
import type { CallProgress } from '@althing/protocol/model/tool'
import { WAITS } from '../tools/built-in.ts'
import { argumentsFault } from './arguments.ts'
import type { Gateway } from './gateway.ts'
import { nearNames } from './near.ts'
import { reached } from './steps.ts'
import type { OfferedTool } from './tool-list.ts'

export interface CallToRun {
  readonly id: string
  readonly name: string
  readonly arguments: Record<string, unknown>
  readonly fault: string | null
}

export interface Outcome {
  readonly status: Extract<ToolCallStatus, 'done' | 'failed' | 'unknown'>
  readonly type: 'string' | 'json'
  readonly value: unknown
}

export interface RunToolDeps {
  readonly actor: Actor
  readonly gateway: Gateway
  readonly session?: string
}

/**
 * Runs one call of a round and says what came of it, or that it waits. Rejects only when the signal is aborted. A call that may have
 * run, of a tool that changes things, ends as `unknown`.
 */
export async function runTool(
  deps: RunToolDeps,
  offered: readonly OfferedTool[],
  call: CallToRun,
  signal: AbortSignal,
  onProgress: (progress: CallProgress) => void,
): Promise<Outcome | typeof WAITS> {
  const found = offered.find((tool) => tool.name === call.name)
  if (found === undefined) return failed(await notOffered(deps, offered, call.name))
  if (call.fault !== null) return failed(`${call.fault} The schema is ${JSON.stringify(found.schema)}`)
  const fault = argumentsFault(found.schema, call.arguments)
  if (fault !== undefined) return failed(`The arguments do not fit: ${fault}.`)
  try {
    if (found.target.kind === 'built-in') {
      const context = { actor: deps.actor, callId: call.id, signal }
      const value = await found.target.builtIn.run(call.arguments, context)
      return value === WAITS ? WAITS : { status: 'done', type: 'json', value }
    }
    const { server, tool } = found.target
    reached('send-call')
    const result = await deps.gateway.call(
      {
        actor: deps.actor,
        server,
        callId: call.id,
        tool: tool.name,
        arguments: call.arguments,
        ...(deps.session === undefined ? {} : { session: deps.session }),
      },
      signal,
      onProgress,
    )
    reached('call-answered')
    return { status: result.is_error ? 'failed' : 'done', type: result.result_type, value: result.result }
  } catch (thrown) {
    signal.throwIfAborted()
    // A fault of our own house is not the tool's: whoever runs the turn next begins again from what is written down.
    if (!(thrown instanceof AppError)) throw thrown
    const lost = thrown.code === 'owner_lost' || thrown.code === 'connection_lost'
    if (lost && !isRepeatable(found)) return { status: 'unknown', type: 'string', value: thrown.message }
    return failed(`${thrown.message} (${thrown.code})`)
  }
}

/** Whether a second run does no harm, by the tool's own annotations. */
export function isRepeatable(tool: OfferedTool): boolean {
  if (tool.target.kind === 'built-in') return tool.target.builtIn.repeatable ?? true
  const { readOnlyHint, idempotentHint } = tool.target.tool.annotations ?? {}
  return readOnlyHint === true || idempotentHint === true
}

/** Whether calls of it may run beside others of their round. */
export function mayRunBeside(tool: OfferedTool | undefined): boolean {
  if (tool?.target.kind === 'built-in') return tool.target.builtIn.parallel === true
  return tool?.target.tool.annotations?.readOnlyHint === true
}

function failed(text: string): Outcome {
  return { status: 'failed', type: 'string', value: text }
}

async function notOffered(
  { actor, gateway }: RunToolDeps,
  offered: readonly OfferedTool[],
  name: string,
): Promise<string> {
  const group = /^mcp__(.+?)__/.exec(name)?.[1]
  const servers: Server[] = group === undefined ? [] : await gateway.servers(actor).catch(() => [])
  const known = servers.find((server) => server.name === group)
  const active = offered.some((tool) => tool.target.kind === 'mcp' && tool.target.server.name === group)
  if (known && !active)
    return `The tools of "${group}" are not active: call activate_tools(["${group}"]) first.`
  const near = nearNames(
    name,
    offered.map((tool) => tool.name),
  )
  return `There is no tool "${name}".${near.length > 0 ? ` Did you mean ${near.join(' or ')}?` : ''}`
}
