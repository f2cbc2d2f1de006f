import type { ApprovalAction } from '@althing/protocol/model/approval'
import type { ApprovalRuleRow, Decision } from '../db/tables.ts'
import { conditionsHold } from './conditions.ts'
import { fitsPattern } from './pattern.ts'

/** A call that wants to run. */
export interface WantedCall {
  /** What the model calls it by. */
  readonly name: string
  /** Of the server that has it; undefined for a tool of the agent's own. */
  readonly serverId: string | undefined
  readonly agent: string
  readonly session: string
  readonly arguments: Readonly<Record<string, unknown>>
  /** What happens when no rule speaks. */
  readonly otherwise: ApprovalAction
}

/** What the rules say of a call: the first that matches decides. `rules` are in the order of `inOrder`. */
export function decide(rules: readonly ApprovalRuleRow[], call: WantedCall): Decision {
  const rule = rules.find(
    (one) => concerns(one, call) && conditionsHold(one.conditions ?? [], call.arguments),
  )
  return rule === undefined
    ? { by: 'default', action: call.otherwise }
    : { by: 'rule', rule: rule.id, action: rule.action }
}

/** Whether a tool is out of reach whatever its arguments: then the model is not shown it. */
export function isHidden(
  rules: readonly ApprovalRuleRow[],
  tool: Pick<WantedCall, 'name' | 'serverId' | 'agent' | 'session'>,
): boolean {
  const first = rules.find(
    (rule) =>
      concerns(rule, tool) &&
      (rule.action !== 'deny' || rule.conditions === null || rule.conditions.length === 0),
  )
  return first?.action === 'deny'
}

/**
 * By priority, the lower number first. Among equals a rule of everybody comes before a person's own, and one for a
 * single tool before a pattern; then the older first.
 */
export function inOrder(rules: readonly ApprovalRuleRow[]): ApprovalRuleRow[] {
  const own = (rule: ApprovalRuleRow) => (rule.user_id === null ? 0 : 1)
  const wide = (rule: ApprovalRuleRow) => (rule.server_id === null ? 1 : 0)
  return rules.toSorted(
    (a, b) =>
      a.priority - b.priority ||
      own(a) - own(b) ||
      wide(a) - wide(b) ||
      (a.id < b.id ? -1 : a.id > b.id ? 1 : 0),
  )
}

function concerns(
  rule: ApprovalRuleRow,
  { name, serverId, agent, session }: Pick<WantedCall, 'name' | 'serverId' | 'agent' | 'session'>,
): boolean {
  if (rule.session_id !== null && rule.session_id !== session) return false
  if (rule.agent !== null && rule.agent !== agent) return false
  // A rule for one tool of one server means that server, not another that took its name later.
  if (rule.server_id !== null && rule.server_id !== serverId) return false
  return fitsPattern(rule.pattern, name)
}
