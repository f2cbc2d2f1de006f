import type { Actor } from '@althing/protocol/model/actor'
import type { ApprovalRule, ApprovalRuleDraft } from '@althing/protocol/model/approval'
import { insertRule, ruleView } from '../db/approval-rules.ts'
import type { AgentDb } from '../db/tables.ts'

export function createApprovalRule({ db }: { db: AgentDb }) {
  return async ({ actor, rule }: { actor: Actor; rule: ApprovalRuleDraft }): Promise<ApprovalRule> =>
    ruleView(await insertRule(db, actor, rule))
}
