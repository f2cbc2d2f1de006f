import type { LogLine } from '@althing/protocol/model/log'
import { describe, expect, it } from 'vitest'
import { overlap } from './log.ts'

const lines = (text: string): LogLine[] =>
  [...text].map((letter) => ({ at: '2026-01-01T00:00:00.000Z', tag: 'stderr', text: letter }))

describe('the overlap of a tail and what was heard meanwhile', () => {
  it.each([
    ['abc', 'cde', 1],
    ['abc', 'bcd', 2],
    ['abc', 'abc', 3],
    ['abc', 'def', 0],
    ['abc', '', 0],
    ['', 'abc', 0],
    ['aaa', 'aab', 2],
  ])('%s then %s: %i', (tail, heard, count) => {
    expect(overlap(lines(tail), lines(heard))).toBe(count)
  })
})
