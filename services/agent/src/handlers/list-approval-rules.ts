import type { Actor } from '@althing/protocol/model/actor'
import type { ApprovalRule } from '@althing/protocol/model/approval'
import { rulesFor, ruleView } from '../db/approval-rules.ts'
import type { AgentDb } from '../db/tables.ts'

export function listApprovalRules({ db }: { db: AgentDb }) {
  return async ({ actor }: { actor: Actor }): Promise<{ rules: ApprovalRule[] }> => ({
    rules: (await rulesFor(db, actor.user)).map(ruleView),
  })
}
