import { AppError } from '@althing/protocol/errors'
import type { Actor } from '@althing/protocol/model/actor'
import type { Failure } from '@althing/protocol/model/problem'
import { encode } from '@althing/runtime/bus/frames'
import type { Clock } from '@althing/runtime/clock'
import type { GatewayDb } from '../db/tables.ts'
import { taskOf } from '../db/tasks.ts'
import type { StreamSide } from './call-tool.ts'

const LOOK_EVERY_MS = 250

/** Waits for the outcome of a call that became a task, whoever polls it now; gives the bytes of its CallResult. */
export function awaitTask({ db, clock }: { db: GatewayDb; clock: Clock }) {
  return async (input: { actor: Actor; call_id: string }, stream: StreamSide): Promise<Uint8Array> => {
    for (;;) {
      const row = await taskOf(db, input.actor.user, input.call_id)
      if (row === undefined) throw new AppError('not_found', 'The call is not a task.')
      if (row.state === 'done') return encode(row.outcome)
      if (row.state === 'failed') {
        const { code, detail } = row.outcome as Failure
        throw new AppError(code, detail)
      }
      await clock.sleep(LOOK_EVERY_MS, stream.signal)
    }
  }
}
