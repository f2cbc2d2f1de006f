import { grantNames } from '../db/sessions.ts'
import type { Turn } from './turn.ts'

/** Tells the person's pages how the turn is, and which groups are active. */
export async function tellState(
  { session, fence, tell, db }: Turn,
  state: 'running' | 'waiting' | 'idle',
  outcome?: 'done' | 'stopped' | 'failed',
  error?: string | null,
): Promise<void> {
  tell({
    type: 'turn.state',
    data: {
      session_id: session.id,
      turn_id: fence.turn,
      state,
      title: session.title,
      grants: await grantNames(db, session.id),
      ...(outcome === undefined ? {} : { outcome }),
      ...(error ? { error } : {}),
    },
  })
}
