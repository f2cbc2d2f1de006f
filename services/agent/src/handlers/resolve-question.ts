import type { Actor } from '@althing/protocol/model/actor'
import { answerQuestion } from '../approvals/answer-question.ts'
import type { AgentDb } from '../db/tables.ts'

/** A card is gone from a person's inbox, and its turn may go on. */
export type OnAnswered = (card: {
  readonly user_id: string
  readonly turn_id: string
  readonly call_id: string
}) => Promise<void>

type Input = { actor: Actor; question: string; answer: string }

export function resolveQuestion({ db, onAnswered }: { db: AgentDb; onAnswered: OnAnswered }) {
  return async ({ actor, question, answer }: Input): Promise<Record<string, never>> => {
    await onAnswered(await answerQuestion(db, actor, question, answer))
    return {}
  }
}
