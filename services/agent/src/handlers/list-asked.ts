import type { Actor } from '@althing/protocol/model/actor'
import { openCards } from '../db/asked.ts'
import type { AgentDb } from '../db/tables.ts'

export function listAsked({ db }: { db: AgentDb }) {
  return ({ actor }: { actor: Actor }) => openCards(db, actor.user)
}
