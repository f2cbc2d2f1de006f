import type { Actor } from '@althing/protocol/model/actor'
import { removeRule } from '../db/approval-rules.ts'
import type { AgentDb } from '../db/tables.ts'

export function deleteApprovalRule({ db }: { db: AgentDb }) {
  return async ({ actor, rule }: { actor: Actor; rule: string }): Promise<Record<string, never>> => {
    await removeRule(db, actor, rule)
    return {}
  }
}
