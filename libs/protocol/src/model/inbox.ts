import * as z from 'zod'
import { Briefing } from './briefing.ts'
import { Id, Timestamp } from './ids.ts'
import { JsonObject } from './json.ts'

const card = {
  id: Id,
  title: z.string(),
  created_at: Timestamp,
  deadline_at: Timestamp.optional(),
  server: z.string().optional(),
  session_id: Id.optional(),
  call_id: Id.optional(),
}

export const ApprovalCard = z
  .object({
    ...card,
    tool: z.string(),
    arguments: JsonObject,
    annotations: JsonObject.optional(),
    /** What the arguments must fit. */
    schema: JsonObject.optional(),
    /** Which agent asked for the call. */
    agent: z.string().optional(),
  })
  .meta({ id: 'ApprovalCard' })
export type ApprovalCard = z.infer<typeof ApprovalCard>

/** `options` are offered to choose from; any other text is an answer too. */
export const QuestionCard = z
  .object({ ...card, question: z.string(), options: z.array(z.string()).optional() })
  .meta({ id: 'QuestionCard' })
export type QuestionCard = z.infer<typeof QuestionCard>

export const ElicitationCard = z
  .object({
    ...card,
    mode: z.enum(['form', 'url']),
    message: z.string(),
    schema: JsonObject,
    sensitive: z.array(z.string()),
    /** Where to go, for `url`. Shown whole before it is opened. */
    url: z.string().optional(),
    /** Fields that this host cannot show; the card can only be declined. */
    unsupported: z.array(z.string()).optional(),
    seal: z.object({ key_id: z.string(), public_key: z.string() }),
  })
  .meta({ id: 'ElicitationCard' })

/** Everything that waits for a person. `total` counts open cards and unread briefings. */
export const Inbox = z
  .object({
    total: z.int(),
    approvals: z.array(ApprovalCard),
    questions: z.array(QuestionCard),
    elicitations: z.array(ElicitationCard),
    briefings: z.array(Briefing),
  })
  .meta({ id: 'Inbox' })
export type Inbox = z.infer<typeof Inbox>
