import type { Actor } from '@althing/protocol/model/actor'
import { grantNames, mustFindSession } from '../db/sessions.ts'
import type { AgentDb } from '../db/tables.ts'

type Input = { actor: Actor; session: string; group: string }

export function revokeGrant({ db }: { db: AgentDb }) {
  return async ({ actor, session, group }: Input): Promise<{ grants: string[] }> => {
    await mustFindSession(db, actor.user, session)
    await db.deleteFrom('grants').where('session_id', '=', session).where('name', '=', group).execute()
    return { grants: await grantNames(db, session) }
  }
}
