import { describe, expect, it } from 'vitest'
import { Backoff } from './backoff.ts'

const make = (random = 0.5) => new Backoff({ firstMs: 1000, longestMs: 60_000, random: () => random })

describe('the wait before the next start', () => {
  it('doubles up to its limit', () => {
    const backoff = make()
    const waits = Array.from({ length: 8 }, (_, i) => backoff.afterFailure(i * 1000, 10))
    expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000])
  })

  it('is not reset by a good handshake, only by a long quiet run', () => {
    const backoff = make()
    backoff.afterFailure(0, 10)
    expect(backoff.afterFailure(1000, 60_000)).toBe(2000)
    expect(backoff.afterFailure(2000, 5 * 60_000)).toBe(20)
  })

  it('ends after ten failures within an hour', () => {
    const backoff = make()
    const waits = Array.from({ length: 11 }, (_, i) => backoff.afterFailure(i, 10))
    expect(waits.slice(0, 10).every((wait) => wait !== undefined)).toBe(true)
    expect(waits[10]).toBeUndefined()
  })

  it('forgets failures that are an hour old', () => {
    const backoff = make()
    for (let i = 0; i < 10; i++) backoff.afterFailure(i, 10)
    expect(backoff.afterFailure(3_700_000, 10)).toBe(1000)
  })

  it('is next to nothing for what ran well and ends for the first time', () => {
    const backoff = make()
    expect(backoff.afterFailure(0, 2000)).toBe(20)
    expect(backoff.afterFailure(1000, 900)).toBe(2000)
  })

  it('varies by a fifth', () => {
    expect(make(0).afterFailure(0, 0)).toBe(800)
    expect(make(1).afterFailure(0, 0)).toBe(1200)
  })
})
