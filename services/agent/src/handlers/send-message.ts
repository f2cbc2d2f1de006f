import { randomUUIDv7 } from 'node:crypto'
import type { Actor } from '@althing/protocol/model/actor'
import type { LiveEvent } from '@althing/protocol/model/live'
import type { Message } from '@althing/protocol/model/session'
import { sql } from 'kysely'
import { mustFindSession, OPEN_TURN } from '../db/sessions.ts'
import type { AgentDb } from '../db/tables.ts'
import { messageView } from '../db/views.ts'

const LONGEST_TITLE = 60

interface SendDeps {
  readonly db: AgentDb
  /** Throws `no_model` when a turn could not begin. */
  readonly mustHaveModel: () => Promise<unknown>
  readonly onQueued: (turn: string) => void
  readonly tell: (user: string, event: LiveEvent) => void
}

interface Sent {
  readonly message_id: string
  readonly turn_id: string
  readonly message: Message
}

/** Stores the message; it starts a turn, or waits for the next round of the one that runs. */
export function sendMessage({ db, mustHaveModel, onQueued, tell }: SendDeps) {
  return async ({
    actor,
    session,
    content,
  }: {
    actor: Actor
    session: string
    content: string
  }): Promise<Sent> => {
    const found = await mustFindSession(db, actor.user, session)
    await mustHaveModel()
    const { row, turn } = await db.transaction().execute(async (trx) => {
      // The lock makes this and the end of a turn take turns: no message is left behind by either.
      await trx.selectFrom('sessions').select('id').where('id', '=', session).forUpdate().execute()
      const running = await trx
        .selectFrom('turns')
        .select('id')
        .where('session_id', '=', session)
        .where('state', 'in', OPEN_TURN)
        .executeTakeFirst()
      const turnId = running?.id ?? randomUUIDv7()
      if (running === undefined) {
        await trx.insertInto('turns').values({ id: turnId, session_id: session, state: 'queued' }).execute()
      }
      const message = await trx
        .insertInto('messages')
        .values({
          id: randomUUIDv7(),
          session_id: session,
          turn_id: turnId,
          role: 'user',
          content,
          status: running === undefined ? 'done' : 'queued',
        })
        .returningAll()
        .executeTakeFirstOrThrow()
      await trx
        .updateTable('sessions')
        .set({
          role: actor.role,
          updated_at: sql`now()`,
          ...(found.title === '' ? { title: titleOf(content) } : {}),
        })
        .where('id', '=', session)
        .execute()
      return { row: message, turn: turnId }
    })
    const message = messageView(row, [], null)
    tell(actor.user, { type: 'message.created', data: { session_id: session, message } })
    onQueued(turn)
    return { message_id: row.id, turn_id: turn, message }
  }
}

/** A chat's title: the first line of its first message. */
function titleOf(content: string): string {
  const characters = [...(content.trim().split(/\r?\n/, 1)[0] ?? '')]
  return characters.length <= LONGEST_TITLE
    ? characters.join('')
    : `${characters.slice(0, LONGEST_TITLE - 1).join('')}…`
}
