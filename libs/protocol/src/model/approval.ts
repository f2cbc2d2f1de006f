import * as z from 'zod'
import { Id, Timestamp } from './ids.ts'
import { JsonValue } from './json.ts'

export const ApprovalAction = z.enum(['allow', 'ask', 'deny']).meta({ id: 'ApprovalAction' })
export type ApprovalAction = z.infer<typeof ApprovalAction>

/** One thing that must hold of a call's arguments. `path` is a JSON pointer into them; `""` is all of them. */
export const ArgumentCondition = z
  .strictObject({
    path: z
      .string()
      .max(256)
      .regex(/^(?:\/[^/]*)*$/, 'a JSON pointer such as "/to/0"'),
    op: z.enum(['equals', 'not_equals', 'starts_with', 'contains', 'one_of', 'absent']),
    value: JsonValue.optional(),
  })
  .meta({ id: 'ArgumentCondition' })
export type ArgumentCondition = z.infer<typeof ArgumentCondition>

const rule = {
  /** Over the names that the model calls tools by; `*` stands for any characters. */
  pattern: z
    .string()
    .min(1)
    .max(256)
    .regex(/^[A-Za-z0-9_*.-]+$/, 'letters, digits, "_", "-", "." and "*"'),
  action: ApprovalAction,
  /** The lower number is looked at first. */
  priority: z.int().min(0).max(1_000_000),
  /** For calls of this agent alone. */
  agent: z.string().min(1).max(64).optional(),
  /** All of them must hold. */
  conditions: z.array(ArgumentCondition).max(16).optional(),
}

/** What a person gives to make a rule. `everybody`: it holds for all people; for administrators only. */
export const ApprovalRuleDraft = z
  .strictObject({ ...rule, priority: rule.priority.default(100), everybody: z.boolean().default(false) })
  .meta({ id: 'ApprovalRuleDraft' })
export type ApprovalRuleDraft = z.infer<typeof ApprovalRuleDraft>

export const ApprovalRulePatch = z
  .strictObject(rule)
  .partial()
  .extend({ agent: rule.agent.nullable() })
  .meta({ id: 'ApprovalRulePatch' })
export type ApprovalRulePatch = z.infer<typeof ApprovalRulePatch>

/**
 * A rule: who, which agent, which tools, which arguments, and what is done. The first that matches decides. One that
 * came of "always" or "for this chat" on a card is bound to that tool of that server, whatever the server's name
 * means later.
 */
export const ApprovalRule = z
  .object({
    id: Id,
    ...rule,
    everybody: z.boolean(),
    server_id: Id.optional(),
    session_id: Id.optional(),
    created_at: Timestamp,
  })
  .meta({ id: 'ApprovalRule' })
export type ApprovalRule = z.infer<typeof ApprovalRule>

export const ApprovalRuleList = z.object({ rules: z.array(ApprovalRule) }).meta({ id: 'ApprovalRuleList' })
export type ApprovalRuleList = z.infer<typeof ApprovalRuleList>

/** What a person says to a card. `always` and `session` make a rule for this one tool. */
export const ApprovalAnswer = z
  .strictObject({
    action: z.enum(['approve', 'reject']),
    scope: z.enum(['once', 'session', 'always']).default('once'),
    /** In place of what the model wrote. */
    arguments: z.record(z.string(), JsonValue).optional(),
    /** For a rejection: the reason, which the model is told. */
    note: z.string().max(2000).optional(),
  })
  .meta({ id: 'ApprovalAnswer' })
export type ApprovalAnswer = z.infer<typeof ApprovalAnswer>
