import type { Actor } from '@althing/protocol/model/actor'
import type { ApprovalAnswer } from '@althing/protocol/model/approval'
import { answerApproval } from '../approvals/answer-approval.ts'
import type { AgentDb } from '../db/tables.ts'
import type { OnAnswered } from './resolve-question.ts'

type Input = { actor: Actor; approval: string; answer: ApprovalAnswer }

export function resolveApproval({ db, onAnswered }: { db: AgentDb; onAnswered: OnAnswered }) {
  return async ({ actor, approval, answer }: Input): Promise<Record<string, never>> => {
    const resolved = await answerApproval(db, actor, approval, answer)
    await onAnswered(resolved)
    return {}
  }
}
