import { AppError } from '@althing/protocol/errors'
import type { Actor } from '@althing/protocol/model/actor'
import { OPEN_TURN, sessionState } from '../db/sessions.ts'
import type { AgentDb } from '../db/tables.ts'
import { sessionView } from '../db/views.ts'

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

interface Input {
  readonly actor: Actor
  readonly page: { readonly limit: number; readonly cursor?: string | undefined }
}

export function listSessions({ db }: { db: AgentDb }) {
  return async ({ actor, page: { limit, cursor } }: Input) => {
    if (cursor !== undefined && !UUID.test(cursor))
      throw new AppError('invalid_request', 'cursor: not one that was given out')
    let query = db.selectFrom('sessions').selectAll().where('user_id', '=', actor.user)
    if (cursor !== undefined) query = query.where('id', '<', cursor)
    const rows = await query
      .orderBy('id', 'desc')
      .limit(limit + 1)
      .execute()
    const page = rows.slice(0, limit)
    const open = await db
      .selectFrom('turns')
      .innerJoin('sessions', 'sessions.id', 'turns.session_id')
      .select(['turns.session_id', 'turns.state'])
      .where('sessions.user_id', '=', actor.user)
      .where('turns.state', 'in', OPEN_TURN)
      .execute()
    const states = new Map(open.map((turn) => [turn.session_id, turn.state]))
    const last = page.at(-1)
    return {
      sessions: page.map((row) => sessionView(row, sessionState(states.get(row.id)))),
      ...(rows.length > limit && last ? { next_cursor: last.id } : {}),
    }
  }
}
