import { expect, it } from 'vitest'
import { batchSize, isDead, retryDelay } from './retry.ts'

it('waits twice as long after each failure, up to the limit', () => {
  expect([1, 2, 3, 4, 5, 6].map((failures) => retryDelay(failures, 30, 900))).toEqual([
    30, 60, 120, 240, 480, 900,
  ])
})

it('closes in on a bad event after three failures', () => {
  expect([0, 1, 2, 3, 4].map(batchSize)).toEqual([50, 50, 50, 6, 1])
})

it('gives up a single event after five failures, never a batch', () => {
  expect(isDead(5, 1)).toBe(true)
  expect(isDead(4, 1)).toBe(false)
  expect(isDead(50, 2)).toBe(false)
})
