import { randomUUIDv7 } from 'node:crypto'
import { AppError } from '@althing/protocol/errors'
import type { Actor } from '@althing/protocol/model/actor'
import type { AgentFile } from '../agents/agent-file.ts'
import type { AgentDb } from '../db/tables.ts'

interface StartDeps {
  readonly db: AgentDb
  readonly agents: readonly AgentFile[]
  /** Throws `no_model` when a turn could not begin. */
  readonly mustHaveModel: () => Promise<unknown>
  readonly onQueued: (turn: string) => void
}

interface Input {
  readonly actor: Actor
  readonly run_id: string
  readonly agent: string
  readonly prompt: string
  readonly title: string
}

interface Started {
  readonly session_id: string
  readonly turn_id: string
}

/** The run's id is the turn's: a request that comes again finds what the first one made. */
export function startUnattendedTurn({ db, agents, mustHaveModel, onQueued }: StartDeps) {
  return async ({ actor, run_id: turn, agent, prompt, title }: Input): Promise<Started> => {
    const before = await findTurn(db, turn)
    if (before !== undefined) return mustBeTheirs(before, actor)
    if (!agents.some((one) => one.name === agent && one.type !== 'system')) {
      throw new AppError('not_found', `There is no agent "${agent}".`)
    }
    await mustHaveModel()
    const session = randomUUIDv7()
    const made = await db.transaction().execute(async (trx) => {
      await trx
        .insertInto('sessions')
        .values({ id: session, user_id: actor.user, role: actor.role, agent, title })
        .execute()
      const { numInsertedOrUpdatedRows } = await trx
        .insertInto('turns')
        .values({ id: turn, session_id: session, state: 'queued', unattended: true })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirstOrThrow()
      if (numInsertedOrUpdatedRows === 0n) {
        await trx.deleteFrom('sessions').where('id', '=', session).execute()
        return false
      }
      await trx
        .insertInto('messages')
        .values({
          id: randomUUIDv7(),
          session_id: session,
          turn_id: turn,
          role: 'user',
          content: prompt,
          status: 'done',
        })
        .execute()
      return true
    })
    if (made) {
      onQueued(turn)
      return { session_id: session, turn_id: turn }
    }
    const other = await findTurn(db, turn)
    if (other === undefined) throw new AppError('conflict', 'The run was removed while it began.')
    return mustBeTheirs(other, actor)
  }
}

async function findTurn(db: AgentDb, turn: string) {
  return db
    .selectFrom('turns')
    .innerJoin('sessions', 'sessions.id', 'turns.session_id')
    .select(['turns.id as turn', 'sessions.id as session', 'sessions.user_id as user', 'turns.unattended'])
    .where('turns.id', '=', turn)
    .executeTakeFirst()
}

function mustBeTheirs(
  found: {
    readonly turn: string
    readonly session: string
    readonly user: string
    readonly unattended: boolean
  },
  actor: Actor,
): Started {
  if (found.user !== actor.user || !found.unattended) {
    throw new AppError('conflict', 'This run id belongs to something else.')
  }
  return { session_id: found.session, turn_id: found.turn }
}
