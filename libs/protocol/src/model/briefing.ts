import * as z from 'zod'
import { Verdict } from './event.ts'
import { Id, Timestamp } from './ids.ts'

export const Urgency = z.enum(['low', 'normal', 'high']).meta({ id: 'Urgency' })

/** What the triage agent writes with `notify`. `event_ids` are the events that it tells of. */
export const BriefingDraft = z
  .object({
    source: z.string().min(1).max(64),
    type: z.string().min(1).max(64),
    summary: z.string().min(1).max(2000),
    refs: z.array(z.string().max(2048)).max(20).default([]),
    urgency: Urgency.default('normal'),
    event_ids: z.array(Id).max(50).default([]),
  })
  .meta({ id: 'BriefingDraft' })
export type BriefingDraft = z.infer<typeof BriefingDraft>

export const EventVerdict = z
  .object({ event_id: Id, verdict: Verdict, reason: z.string().max(500) })
  .meta({ id: 'EventVerdict' })
export type EventVerdict = z.infer<typeof EventVerdict>

/** What a triage turn answers: drafts of briefings and one verdict for every event. */
export const TriageAnswer = z
  .object({ briefings: z.array(BriefingDraft), verdicts: z.array(EventVerdict) })
  .meta({ id: 'TriageAnswer' })
export type TriageAnswer = z.infer<typeof TriageAnswer>

export const BriefingState = z.enum(['unread', 'read', 'done']).meta({ id: 'BriefingState' })

export const Briefing = z
  .object({
    id: Id,
    title: z.string(),
    source: z.string(),
    type: z.string(),
    summary: z.string(),
    refs: z.array(z.string()),
    urgency: Urgency,
    state: BriefingState,
    server: z.string().optional(),
    event_ids: z.array(Id),
    batch_id: Id,
    created_at: Timestamp,
  })
  .meta({ id: 'Briefing' })
export type Briefing = z.infer<typeof Briefing>
