import type { Actor } from '@althing/protocol/model/actor'
import { mustFindSession } from '../db/sessions.ts'
import type { AgentDb } from '../db/tables.ts'

interface DeleteDeps {
  readonly db: AgentDb
  readonly stop: (actor: Actor, session: string) => Promise<unknown>
}

export function deleteSession({ db, stop }: DeleteDeps) {
  return async ({ actor, session }: { actor: Actor; session: string }): Promise<Record<string, never>> => {
    await mustFindSession(db, actor.user, session)
    await stop(actor, session)
    await db.deleteFrom('sessions').where('id', '=', session).where('user_id', '=', actor.user).execute()
    return {}
  }
}
