import type { Actor } from '@althing/protocol/model/actor'
import type { Session } from '@althing/protocol/model/session'
import { grantNames, mustFindSession, readEverything, stateOf } from '../db/sessions.ts'
import type { AgentDb } from '../db/tables.ts'
import { messageView, sessionView } from '../db/views.ts'

export function getSession({ db }: { db: AgentDb }) {
  return async ({ actor, session }: { actor: Actor; session: string }): Promise<Session> => {
    const row = await mustFindSession(db, actor.user, session)
    // Before the messages: an idle chat never shows an answer that still grows.
    const state = await stateOf(db, session)
    const [messages, grants] = await Promise.all([readEverything(db, session), grantNames(db, session)])
    return {
      ...sessionView(row, state),
      grants,
      messages: messages.map(({ message, calls, parentCall }) => messageView(message, calls, parentCall)),
      usage: {
        input_tokens: Number(row.input_tokens),
        output_tokens: Number(row.output_tokens),
        requests: Number(row.requests),
      },
    }
  }
}
