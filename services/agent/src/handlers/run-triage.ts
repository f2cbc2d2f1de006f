import type { ServerEvent } from '@althing/protocol/model/event'
import { encode } from '@althing/runtime/bus/frames'
import type { Rule } from '../triage/fence.ts'
import { type TriageDeps, triage } from '../triage/triage.ts'

interface Input {
  readonly user: string
  readonly events: readonly ServerEvent[]
  readonly rules: readonly Rule[]
}

interface StreamSide {
  readonly signal: AbortSignal
  progress(value: unknown): void
}

export function runTriage(deps: TriageDeps) {
  return async (input: Input, stream: StreamSide): Promise<Uint8Array> =>
    encode(await triage(deps, input, stream.signal, (round) => stream.progress({ round })))
}
