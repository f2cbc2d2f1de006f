import { describe, expect, it } from 'vitest'
import { CronTimes, mustBeCron } from './cron.ts'

const few = (line: string, zone: string, from: string, count = 3) =>
  new CronTimes(line, zone).nextFew(count, new Date(from)).map((date) => date.toISOString().slice(0, 16))

// @requirement R77
describe('the times of a cron line', () => {
  it('keeps the time of day over a change of daylight saving', () => {
    expect(few('0 9 * * *', 'Europe/Berlin', '2026-03-28T00:00:00Z')).toEqual([
      '2026-03-28T08:00',
      '2026-03-29T07:00',
      '2026-03-30T07:00',
    ])
  })

  it('runs a time that spring leaves out at the end of the gap', () => {
    expect(few('30 2 * * *', 'Europe/Berlin', '2026-03-28T12:00:00Z', 2)).toEqual([
      '2026-03-29T01:00',
      '2026-03-30T00:30',
    ])
  })

  it('runs a time that comes twice in autumn once, wherever one starts to count', () => {
    for (const from of ['2026-10-25T00:30:00Z', '2026-10-25T00:45:00Z', '2026-10-25T01:10:00Z'])
      expect(few('30 2 * * *', 'Europe/Berlin', from, 1)).toEqual(['2026-10-26T01:30'])
    expect(few('0 * * * *', 'Europe/Berlin', '2026-10-24T23:30:00Z', 3)).toEqual([
      '2026-10-25T00:00',
      '2026-10-25T01:00',
      '2026-10-25T02:00',
    ])
  })

  it('finds the last one, itself included', () => {
    const times = new CronTimes('0 9 * * *', 'UTC')
    expect(times.last(new Date('2026-05-02T09:00:00Z'))?.toISOString()).toBe('2026-05-02T09:00:00.000Z')
    expect(times.last(new Date('2026-05-02T08:59:59Z'))?.toISOString()).toBe('2026-05-01T09:00:00.000Z')
  })

  it.each(['', 'x', '* * * * * *', '99 9 * * *', '2027-01-01T00:00:00', '0 0 30 2 *', '@reboot'])(
    'refuses "%s"',
    (line) => {
      expect(() => mustBeCron(line, 'UTC', new Date('2026-01-01'))).toThrow(/^cron: /)
    },
  )
})
