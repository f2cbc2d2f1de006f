import type { Actor } from '@althing/protocol/model/actor'
import type { ApprovalRule, ApprovalRulePatch } from '@althing/protocol/model/approval'
import { changeRule, ruleView } from '../db/approval-rules.ts'
import type { AgentDb } from '../db/tables.ts'

type Input = { actor: Actor; rule: string; patch: ApprovalRulePatch }

export function updateApprovalRule({ db }: { db: AgentDb }) {
  return async ({ actor, rule, patch }: Input): Promise<ApprovalRule> =>
    ruleView(await changeRule(db, actor, rule, patch))
}
