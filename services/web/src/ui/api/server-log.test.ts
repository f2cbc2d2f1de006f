import { describe, expect, it } from 'vitest'
import { isAtLeast, readLogLine } from './server-log.ts'

describe("a server's log", () => {
  it('reads a line into its parts', () => {
    expect(readLogLine('2026-07-03T12:34:56.789Z [stderr]     cache warm, [128] entries', 1)).toEqual({
      key: 1,
      at: '2026-07-03T12:34:56.789Z',
      tag: 'stderr',
      text: 'cache warm, [128] entries',
    })
  })

  it('keeps a line of another shape whole', () => {
    expect(readLogLine('hello', 2)).toEqual({ key: 2, at: '', tag: '', text: 'hello' })
  })

  it('filters by how grave a line is', () => {
    expect(
      ['debug', 'stderr', 'lifecycle', 'warning', 'emergency'].filter((tag) => isAtLeast(tag, 'warning')),
    ).toEqual(['warning', 'emergency'])
  })
})
