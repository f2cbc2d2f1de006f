import type { Batch, Event } from '@althing/protocol/model/event'
import type { Tone } from '../../ui/tag.tsx'

interface StateWords {
  readonly label: string
  readonly tone: Tone
}

/** What became of an event, in one word. */
export function eventWords({ state, verdict }: Event): StateWords {
  if (state === 'dead') return { label: 'dead letter', tone: 'bad' }
  if (state === 'pending') return { label: 'waiting', tone: 'accent' }
  if (state === 'claimed') return { label: 'being judged', tone: 'accent' }
  if (verdict === 'notify') return { label: 'told', tone: 'ok' }
  return verdict === 'missing' ? { label: 'no verdict', tone: 'warn' } : { label: 'set aside', tone: 'plain' }
}

export const STATE_LABELS: Readonly<Record<Event['state'], string>> = {
  pending: 'Waiting',
  claimed: 'Being judged',
  settled: 'Judged',
  dead: 'Dead letter',
}

/** The most telling text of a payload, else the method. */
export function eventTitle({ payload, method }: Event): string {
  if (typeof payload === 'string') return payload
  if (typeof payload === 'object' && payload !== null)
    for (const name of ['title', 'subject', 'summary', 'message', 'text', 'name']) {
      const value = (payload as Readonly<Record<string, unknown>>)[name]
      if (typeof value === 'string' && value.trim() !== '') return value
    }
  return method
}

export function batchWords({ event_count, briefing_count, state, attempts, error }: Batch): string {
  const events = event_count === 1 ? '1 event' : `${event_count} events`
  const briefings = briefing_count === 1 ? '1 briefing' : `${briefing_count} briefings`
  if (state === 'running') return `${events}, being judged`
  if (state === 'settled') return `${events}, ${briefings}`
  return `${events}, ${attempts} tries, ${state}${error === undefined ? '' : `: ${error}`}`
}
