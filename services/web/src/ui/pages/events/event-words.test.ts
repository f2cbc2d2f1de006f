import type { Event } from '@althing/protocol/model/event'
import { describe, expect, it } from 'vitest'
import { batchWords, eventTitle, eventWords } from './event-words.ts'

const event = (over: Partial<Event>): Event => ({
  id: 'e1',
  server: 'mail',
  method: 'event/new_email',
  payload: null,
  received_at: '2026-07-03T12:00:00.000Z',
  state: 'settled',
  ...over,
})

describe('the words of an event', () => {
  it('say what became of it', () => {
    expect(eventWords(event({ verdict: 'notify' })).label).toBe('told')
    expect(eventWords(event({ verdict: 'ignore' })).label).toBe('set aside')
    expect(eventWords(event({ state: 'dead' })).label).toBe('dead letter')
    expect(eventWords(event({ state: 'pending' })).label).toBe('waiting')
  })

  it('take the most telling text of the payload', () => {
    expect(eventTitle(event({ payload: { id: 1, subject: 'Contract ends' } }))).toBe('Contract ends')
    expect(eventTitle(event({ payload: [1] }))).toBe('event/new_email')
  })

  it('tell how a batch went', () => {
    const batch = { id: 'b', event_count: 6, briefing_count: 1, attempts: 1, started_at: '' }
    expect(batchWords({ ...batch, state: 'settled' })).toBe('6 events, 1 briefing')
    expect(batchWords({ ...batch, state: 'failed', attempts: 2, error: 'No model' })).toBe(
      '6 events, 2 tries, failed: No model',
    )
  })
})
