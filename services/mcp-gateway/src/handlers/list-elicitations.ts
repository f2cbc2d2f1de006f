import type { Actor } from '@althing/protocol/model/actor'
import { openElicitations } from '../db/elicitations.ts'
import type { GatewayDb } from '../db/tables.ts'

export function listElicitations(db: GatewayDb) {
  return async ({ actor }: { actor: Actor }) => ({ elicitations: await openElicitations(db, actor.user) })
}
