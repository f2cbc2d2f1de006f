import type { resolveApproval, resolveQuestion } from '@althing/protocol/http/approvals'
import type { ApprovalAnswer } from '@althing/protocol/model/approval'
import type * as z from 'zod'
import { call } from './client.ts'

export const answerApproval = (id: string, body: z.input<typeof ApprovalAnswer>) =>
  call<typeof resolveApproval>('POST', '/api/inbox/approvals/{id}/resolve', { params: { id }, body })

export const answerQuestion = (id: string, answer: string) =>
  call<typeof resolveQuestion>('POST', '/api/inbox/questions/{id}/resolve', {
    params: { id },
    body: { answer },
  })
