import { randomUUIDv7 } from 'node:crypto'
import { AppError } from '@althing/protocol/errors'
import type { Actor } from '@althing/protocol/model/actor'
import type { ApprovalRule, ApprovalRuleDraft, ApprovalRulePatch } from '@althing/protocol/model/approval'
import { jsonb } from '@althing/runtime/db'
import { inOrder } from '../approvals/decide.ts'
import type { AgentDb, ApprovalRuleRow } from './tables.ts'

/** Rules that one person can have. */
const MOST_RULES = 1000

/** Everything that decides for a person, in the order in which it is looked at. */
export async function rulesFor(db: AgentDb, user: string): Promise<ApprovalRuleRow[]> {
  const rows = await db
    .selectFrom('approval_rules')
    .selectAll()
    .where((eb) => eb.or([eb('user_id', '=', user), eb('user_id', 'is', null)]))
    .execute()
  return inOrder(rows)
}

export async function insertRule(
  db: AgentDb,
  actor: Actor,
  draft: ApprovalRuleDraft,
): Promise<ApprovalRuleRow> {
  mustRule(actor, draft.everybody)
  const { count } = await db
    .selectFrom('approval_rules')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('user_id', draft.everybody ? 'is' : '=', draft.everybody ? null : actor.user)
    .executeTakeFirstOrThrow()
  if (Number(count) >= MOST_RULES)
    throw new AppError('conflict', `There are ${MOST_RULES} rules already: remove one first.`)
  return db
    .insertInto('approval_rules')
    .values({
      id: randomUUIDv7(),
      user_id: draft.everybody ? null : actor.user,
      agent: draft.agent ?? null,
      pattern: draft.pattern,
      action: draft.action,
      priority: draft.priority,
      conditions: draft.conditions === undefined ? null : jsonb(draft.conditions),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function changeRule(
  db: AgentDb,
  actor: Actor,
  id: string,
  patch: ApprovalRulePatch,
): Promise<ApprovalRuleRow> {
  const found = await mustFindRule(db, actor, id)
  const { conditions, agent, pattern, action, priority } = patch
  return db
    .updateTable('approval_rules')
    .set({
      pattern: pattern ?? found.pattern,
      action: action ?? found.action,
      priority: priority ?? found.priority,
      ...(agent === undefined ? {} : { agent }),
      ...(conditions === undefined ? {} : { conditions: jsonb(conditions) }),
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function removeRule(db: AgentDb, actor: Actor, id: string): Promise<void> {
  await mustFindRule(db, actor, id)
  await db.deleteFrom('approval_rules').where('id', '=', id).execute()
}

async function mustFindRule(db: AgentDb, actor: Actor, id: string): Promise<ApprovalRuleRow> {
  const row = (await rulesFor(db, actor.user)).find((one) => one.id === id)
  if (row === undefined) throw new AppError('not_found', 'There is no such rule.')
  mustRule(actor, row.user_id === null)
  return row
}

function mustRule(actor: Actor, everybody: boolean): void {
  if (actor.role === 'auditor') throw new AppError('forbidden', 'An auditor changes nothing.')
  if (everybody && actor.role !== 'admin')
    throw new AppError('forbidden', 'Rules of everybody are for administrators.')
}

export function ruleView(row: ApprovalRuleRow): ApprovalRule {
  return {
    id: row.id,
    pattern: row.pattern,
    action: row.action,
    priority: row.priority,
    everybody: row.user_id === null,
    created_at: row.created_at.toISOString(),
    ...(row.agent === null ? {} : { agent: row.agent }),
    ...(row.conditions === null ? {} : { conditions: row.conditions }),
    ...(row.server_id === null ? {} : { server_id: row.server_id }),
    ...(row.session_id === null ? {} : { session_id: row.session_id }),
  }
}
