import { describe, expect, it } from 'vitest'
import { duration, relativeTime } from './time.ts'

const now = new Date(2026, 6, 3, 12, 0, 0)
const ago = (minutes: number) => relativeTime(new Date(now.getTime() - minutes * 60_000), now, 'en-GB')

describe('times in words', () => {
  it('counts minutes and hours of the same day', () => {
    expect([ago(0), ago(4), ago(59), ago(180)]).toEqual(['just now', '4 min ago', '59 min ago', '3 h ago'])
  })

  it('names yesterday by the calendar, then the date', () => {
    expect([ago(13 * 60), ago(3 * 24 * 60), ago(400 * 24 * 60)]).toEqual([
      'yesterday',
      '30 Jun',
      '29 May 2025',
    ])
  })

  it('says when something is to come', () => {
    expect(ago(-6)).toBe('in 6 min 0 s')
  })

  it('gives durations their fitting unit', () => {
    expect([142, 812, 12_400, 200_000, 7_500_000].map(duration)).toEqual([
      '142 ms',
      '812 ms',
      '12 s',
      '3 min 20 s',
      '2 h 5 min',
    ])
  })
})
