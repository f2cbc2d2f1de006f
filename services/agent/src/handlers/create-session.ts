import { randomUUIDv7 } from 'node:crypto'
import { AppError } from '@althing/protocol/errors'
import type { Actor } from '@althing/protocol/model/actor'
import type { AgentFile } from '../agents/agent-file.ts'
import type { AgentDb } from '../db/tables.ts'

export function createSession({ db, agents }: { db: AgentDb; agents: readonly AgentFile[] }) {
  return async ({ actor, agent }: { actor: Actor; agent: string }): Promise<{ id: string }> => {
    const known = agents.find((one) => one.name === agent && one.type !== 'system')
    if (known === undefined) throw new AppError('not_found', `There is no agent "${agent}".`)
    const id = randomUUIDv7()
    await db.insertInto('sessions').values({ id, user_id: actor.user, role: actor.role, agent }).execute()
    return { id }
  }
}
