import * as z from 'zod'
import { defineRequest } from '../define.ts'
import { Actor } from '../model/actor.ts'
import {
  ApprovalAnswer,
  ApprovalRule,
  ApprovalRuleDraft,
  ApprovalRuleList,
  ApprovalRulePatch,
} from '../model/approval.ts'
import { Id } from '../model/ids.ts'
import { ApprovalCard, QuestionCard } from '../model/inbox.ts'

export const listAsked = defineRequest({
  name: 'agent.listAsked',
  owner: 'agent',
  callers: ['web'],
  subject: 'agent.v1.asked.list',
  input: z.object({ actor: Actor }),
  output: z.object({ approvals: z.array(ApprovalCard), questions: z.array(QuestionCard) }),
  errors: [],
  doc: "What a person's turns wait for: calls to approve and questions, the oldest first.",
})

export const resolveApproval = defineRequest({
  name: 'agent.resolveApproval',
  owner: 'agent',
  callers: ['web'],
  subject: 'agent.v1.approval.resolve',
  input: z.object({ actor: Actor, approval: Id, answer: ApprovalAnswer }),
  output: z.object({}),
  errors: ['not_found', 'conflict', 'invalid_request'],
  doc: 'Allows or refuses a call that waits, exactly once; its turn goes on.',
})

export const resolveQuestion = defineRequest({
  name: 'agent.resolveQuestion',
  owner: 'agent',
  callers: ['web'],
  subject: 'agent.v1.question.resolve',
  input: z.object({ actor: Actor, question: Id, answer: z.string().max(20_000) }),
  output: z.object({}),
  errors: ['not_found', 'conflict'],
  doc: 'Answers what an agent asked, exactly once; its turn goes on.',
})

export const listApprovalRules = defineRequest({
  name: 'agent.listApprovalRules',
  owner: 'agent',
  callers: ['web'],
  subject: 'agent.v1.rule.list',
  input: z.object({ actor: Actor }),
  output: ApprovalRuleList,
  errors: [],
  doc: 'The rules that decide for a person, in the order in which they are looked at.',
})

export const createApprovalRule = defineRequest({
  name: 'agent.createApprovalRule',
  owner: 'agent',
  callers: ['web'],
  subject: 'agent.v1.rule.create',
  input: z.object({ actor: Actor, rule: ApprovalRuleDraft }),
  output: ApprovalRule,
  errors: ['forbidden', 'conflict'],
  doc: 'Makes a rule of a person, or, by an administrator, of everybody.',
})

export const updateApprovalRule = defineRequest({
  name: 'agent.updateApprovalRule',
  owner: 'agent',
  callers: ['web'],
  subject: 'agent.v1.rule.update',
  input: z.object({ actor: Actor, rule: Id, patch: ApprovalRulePatch }),
  output: ApprovalRule,
  errors: ['forbidden', 'not_found'],
  doc: 'Changes a rule; in force from the next call on.',
})

export const deleteApprovalRule = defineRequest({
  name: 'agent.deleteApprovalRule',
  owner: 'agent',
  callers: ['web'],
  subject: 'agent.v1.rule.delete',
  input: z.object({ actor: Actor, rule: Id }),
  output: z.object({}),
  errors: ['forbidden', 'not_found'],
  doc: 'Removes a rule.',
})
