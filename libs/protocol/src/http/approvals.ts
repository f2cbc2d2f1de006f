import * as z from 'zod'
import { defineRoute } from '../define.ts'
import {
  ApprovalAnswer,
  ApprovalRule,
  ApprovalRuleDraft,
  ApprovalRuleList,
  ApprovalRulePatch,
} from '../model/approval.ts'
import { NoQuery, Nothing } from './empty.ts'

const tag = 'approvals'

export const resolveApproval = defineRoute({
  name: 'resolveApproval',
  method: 'POST',
  path: '/api/inbox/approvals/{id}/resolve',
  access: 'user',
  query: NoQuery,
  body: ApprovalAnswer,
  responses: { 200: z.object({}) },
  errors: ['invalid_request', 'not_found', 'conflict'],
  tag,
  doc: 'Allows a call that waits, with other arguments if given, or refuses it. A second answer is a conflict.',
})

export const resolveQuestion = defineRoute({
  name: 'resolveQuestion',
  method: 'POST',
  path: '/api/inbox/questions/{id}/resolve',
  access: 'user',
  query: NoQuery,
  body: z.strictObject({ answer: z.string().max(20_000) }),
  responses: { 200: z.object({}) },
  errors: ['invalid_request', 'not_found', 'conflict'],
  tag,
  doc: 'Answers what an agent asked. A second answer is a conflict.',
})

export const listApprovalRules = defineRoute({
  name: 'listApprovalRules',
  method: 'GET',
  path: '/api/approval-rules',
  access: 'user',
  query: NoQuery,
  body: Nothing,
  responses: { 200: ApprovalRuleList },
  errors: [],
  tag,
  doc: 'The rules that decide for this person, in the order in which they are looked at.',
})

export const createApprovalRule = defineRoute({
  name: 'createApprovalRule',
  method: 'POST',
  path: '/api/approval-rules',
  access: 'user',
  query: NoQuery,
  body: ApprovalRuleDraft,
  responses: { 201: ApprovalRule },
  errors: ['invalid_request', 'forbidden', 'conflict'],
  tag,
  doc: 'Makes a rule. `everybody` is for administrators.',
})

export const updateApprovalRule = defineRoute({
  name: 'updateApprovalRule',
  method: 'PATCH',
  path: '/api/approval-rules/{id}',
  access: 'user',
  query: NoQuery,
  body: ApprovalRulePatch,
  responses: { 200: ApprovalRule },
  errors: ['invalid_request', 'forbidden', 'not_found'],
  tag,
  doc: 'Changes a rule; in force from the next call on.',
})

export const deleteApprovalRule = defineRoute({
  name: 'deleteApprovalRule',
  method: 'DELETE',
  path: '/api/approval-rules/{id}',
  access: 'user',
  query: NoQuery,
  body: Nothing,
  responses: { 204: null },
  errors: ['forbidden', 'not_found'],
  tag,
  doc: 'Removes a rule.',
})
