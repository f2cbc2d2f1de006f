import type { ApprovalCard, QuestionCard } from '@althing/protocol/model/inbox'
import type { AgentDb, ApprovalRow, QuestionRow } from './tables.ts'

/** What a person's turns wait for, the oldest first. */
export async function openCards(
  db: AgentDb,
  user: string,
): Promise<{ approvals: ApprovalCard[]; questions: QuestionCard[] }> {
  const [approvals, questions] = await Promise.all([
    db
      .selectFrom('approvals')
      .innerJoin('sessions', 'sessions.id', 'approvals.session_id')
      .selectAll('approvals')
      .select(['sessions.agent', 'sessions.title'])
      .where('approvals.user_id', '=', user)
      .where('approvals.state', '=', 'open')
      .orderBy('approvals.created_at')
      .execute(),
    db
      .selectFrom('questions')
      .innerJoin('sessions', 'sessions.id', 'questions.session_id')
      .selectAll('questions')
      .select('sessions.title')
      .where('questions.user_id', '=', user)
      .where('questions.state', '=', 'open')
      .orderBy('questions.created_at')
      .execute(),
  ])
  return { approvals: approvals.map(approvalCard), questions: questions.map(questionCard) }
}

/** How many cards wait for a person. */
export async function countCards(db: AgentDb, user: string): Promise<number> {
  const { approvals, questions } = await openCards(db, user)
  return approvals.length + questions.length
}

function approvalCard(row: ApprovalRow & { agent: string; title: string }): ApprovalCard {
  return {
    ...card(row),
    tool: row.tool,
    arguments: row.arguments as ApprovalCard['arguments'],
    agent: row.agent,
    ...(row.server === null ? {} : { server: row.server }),
    ...(row.annotations === null ? {} : { annotations: row.annotations as ApprovalCard['annotations'] }),
    ...(row.schema === null ? {} : { schema: row.schema as ApprovalCard['schema'] }),
  }
}

function questionCard(row: QuestionRow & { title: string }): QuestionCard {
  return {
    ...card(row),
    question: row.question,
    ...(row.options === null ? {} : { options: row.options }),
  }
}

function card(row: (ApprovalRow | QuestionRow) & { title: string }) {
  return {
    id: row.id,
    title: row.title,
    created_at: row.created_at.toISOString(),
    session_id: row.session_id,
    call_id: row.call_id,
    ...(row.deadline_at === null ? {} : { deadline_at: row.deadline_at.toISOString() }),
  }
}
