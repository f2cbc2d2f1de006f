import type { Actor } from '@althing/protocol/model/actor'
import { sql } from 'kysely'
import { mustFindSession, OPEN_TURN } from '../db/sessions.ts'
import type { AgentDb } from '../db/tables.ts'

interface StopDeps {
  readonly db: AgentDb
  /** Tells the worker that runs it, wherever that is. */
  readonly onStop: (turn: string) => void
}

/** Written down first: a worker that takes the turn over later stops it too. */
export function stopTurn({ db, onStop }: StopDeps) {
  return async ({ actor, session }: { actor: Actor; session: string }): Promise<{ stopped: boolean }> => {
    await mustFindSession(db, actor.user, session)
    const turn = await db
      .updateTable('turns')
      // A parked turn is woken to be ended.
      .set({ stop_requested: true, state: sql`case when state = 'waiting' then 'queued' else state end` })
      .where('session_id', '=', session)
      .where('state', 'in', OPEN_TURN)
      .returning('id')
      .executeTakeFirst()
    if (turn === undefined) return { stopped: false }
    onStop(turn.id)
    return { stopped: true }
  }
}
