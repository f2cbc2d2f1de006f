import type { Actor } from '@althing/protocol/model/actor'
import type { CallerSide, ServerMethod } from '@althing/protocol/model/relay'
import { mustSayComplete, requestFor } from '../calls/caller.ts'
import { rawError, rawOutcome } from '../calls/raw-outcome.ts'
import { mustServe } from '../servers/access.ts'
import { PATIENCE_MS, type RelayDeps, type StreamSide } from './call-tool.ts'

interface RequestInput {
  readonly actor: Actor
  readonly call_id: string
  readonly method: ServerMethod
  readonly params: Readonly<Record<string, unknown>>
  readonly side?: CallerSide | undefined
  readonly timeout_ms?: number | undefined
}

/** Passes a request about resources, prompts or completion to a server as it is; gives a RawOutcome. */
export function requestServer(deps: RelayDeps) {
  return async (connection: string, input: RequestInput, stream: StreamSide): Promise<Uint8Array> => {
    const live = mustServe(deps.find(connection), input.actor)
    const ready = await live.supervisor.ready(PATIENCE_MS, stream.signal)
    const { inputResponses, requestState, ...params } = input.params
    const caller = {
      user: input.actor.user,
      serverId: live.server.id,
      callId: input.call_id,
      sessionId: undefined,
      side: input.side,
      retry:
        requestState === undefined && inputResponses === undefined
          ? undefined
          : { inputResponses: inputResponses as Record<string, unknown> | undefined, requestState },
      send: (frame: unknown) => stream.progress(frame),
    }
    return requestFor(deps, ready, caller, {
      method: input.method,
      params,
      timeoutMs: input.timeout_ms ?? live.server.call_timeout_ms ?? deps.defaultTimeoutMs,
      capMs: deps.capMs,
      signal: stream.signal,
    }).then((answer) => rawOutcome(answer, mustSayComplete(ready, input.side)), rawError)
  }
}
