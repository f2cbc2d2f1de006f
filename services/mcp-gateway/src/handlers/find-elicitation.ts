import { AppError } from '@althing/protocol/errors'
import type { Actor } from '@althing/protocol/model/actor'
import { elicitationOf } from '../db/elicitations.ts'
import type { GatewayDb } from '../db/tables.ts'

/** Another person's card is as good as none. */
export function findElicitation(db: GatewayDb) {
  return async ({ actor, elicitation }: { actor: Actor; elicitation: string }) => {
    const row = await elicitationOf(db, actor.user, elicitation)
    if (row === undefined) throw new AppError('not_found', 'There is no such question.')
    if (row.state !== 'open')
      throw new AppError('conflict', 'The question was answered or withdrawn already.')
    return { instance: row.instance, seal: row.seal }
  }
}
