import type { Actor } from '@althing/protocol/model/actor'
import type { CallerSide, CallRetry } from '@althing/protocol/model/relay'
import { encode } from '@althing/runtime/bus/frames'
import { type CallerDeps, mustSayComplete, requestFor } from '../calls/caller.ts'
import { rawError, rawOutcome } from '../calls/raw-outcome.ts'
import type { Results } from '../calls/results.ts'
import type { Tasks } from '../calls/tasks.ts'
import { mustServe } from '../servers/access.ts'
import type { Live } from '../servers/registry.ts'
import type { CallableTools } from '../tools/callable-tools.ts'

/** A call may wait this long for a server that is about to be back. */
export const PATIENCE_MS = 5_000

interface CallInput {
  readonly actor: Actor
  readonly call_id: string
  readonly tool: string
  readonly arguments: Readonly<Record<string, unknown>>
  readonly timeout_ms?: number | undefined
  readonly session_id?: string | undefined
  readonly form?: 'read' | 'raw' | undefined
  readonly side?: CallerSide | undefined
  readonly retry?: CallRetry | undefined
  readonly progress?: boolean | undefined
}

export interface RelayDeps extends CallerDeps {
  readonly find: (connection: string) => Live | undefined
  readonly defaultTimeoutMs: number
  /** Milliseconds that a call may take in all, however long people think. */
  readonly capMs: number
  readonly traceMeta: () => Readonly<Record<string, string>> | null
}

interface CallDeps extends RelayDeps {
  readonly results: Results
  readonly tasks: Tasks
  readonly tools: CallableTools
}

export interface StreamSide {
  readonly signal: AbortSignal
  progress(value: unknown): void
}

/** Calls one tool on a connection that this instance owns; gives the bytes of a CallResult or of a RawOutcome. */
export function callTool(deps: CallDeps) {
  return async (connection: string, input: CallInput, stream: StreamSide): Promise<Uint8Array> => {
    const live = mustServe(deps.find(connection), input.actor)
    const { server } = live
    const ready = await live.supervisor.ready(PATIENCE_MS, stream.signal)
    const tool = deps.tools.mustFind(connection, server.name, input.tool)
    const meta = deps.traceMeta()
    const send = (frame: unknown) => stream.progress(frame)
    const caller = {
      user: input.actor.user,
      serverId: server.id,
      callId: input.call_id,
      sessionId: input.session_id,
      side: input.side,
      retry: input.retry,
      send,
    }
    let begun = false
    const calling = requestFor(deps, ready, caller, {
      method: 'tools/call',
      params: { name: input.tool, arguments: input.arguments },
      tool,
      timeoutMs: input.timeout_ms ?? server.call_timeout_ms ?? deps.defaultTimeoutMs,
      capMs: deps.capMs,
      signal: stream.signal,
      onTask: async (ref) => {
        begun = true
        if (input.form !== 'raw')
          await deps.tasks.begin({ ...caller, connectionId: connection, tool: input.tool }, ref)
      },
      ...(meta === null ? {} : { meta }),
      ...(input.progress === false ? {} : { onProgress: send }),
    })
    if (input.form === 'raw')
      return calling.then((answer) => rawOutcome(answer, mustSayComplete(ready, input.side)), rawError)
    const ended = calling.then(({ result }) => deps.results.read(result, caller, tool))
    if (begun) void deps.tasks.end(input.call_id, ended)
    return encode(await ended)
  }
}
