import type { LogLine } from '@althing/protocol/model/log'
import { ManualClock } from '@althing/runtime/clock'
import { describe, expect, it } from 'vitest'
import { oneLine, ServerLog } from './server-log.ts'

function open(masked: string[] = []) {
  const clock = new ManualClock()
  const lines: LogLine[] = []
  const live: LogLine[] = []
  const log = new ServerLog({
    clock,
    masked,
    publish: (batch) => lines.push(...batch),
    onLive: (line) => live.push(line),
  })
  return { clock, lines, live, log }
}

describe("a server's log", () => {
  it('keeps one record on one line, without control characters', () => {
    expect(oneLine('a\nb\tc\u001b[31m\0')).toBe('a\\nb\\tc\\x1b[31m\uFFFD')
  })

  it('cuts what is too long and says so', () => {
    expect(oneLine('x'.repeat(10_000))).toMatch(/ \.\.\. \(10000 characters\)$/)
  })

  it('masks the secrets of the server', () => {
    const { log, lines } = open(['hunter22'])
    log.write('stderr', 'password hunter22, again hunter22')
    log.flush()
    expect(lines.map((line) => line.text)).toEqual(['password ***, again ***'])
  })

  it('is bounded by the second, and counts what it drops', () => {
    const { clock, log, lines, live } = open()
    for (let i = 0; i < 2500; i++) log.write('stderr', String(i))
    clock.advance(1000)
    log.write('stderr', 'next')
    log.flush()
    expect(lines).toHaveLength(2002)
    expect(lines.at(-2)?.text).toMatch(/^500 lines were dropped/)
    expect(live.length).toBeLessThan(50)
  })
})
