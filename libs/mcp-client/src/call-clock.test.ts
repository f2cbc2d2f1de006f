import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { CallClock } from './call-clock.ts'

const { signal } = new AbortController()

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('CallClock', () => {
  it('ends after its time, with a code', () => {
    using clock = new CallClock(1000, 5000, signal)
    vi.advanceTimersByTime(999)
    expect(clock.signal.aborted).toBe(false)
    vi.advanceTimersByTime(1)
    expect(clock.signal.reason).toMatchObject({ code: 'timeout' })
  })

  it('stands still while anybody is asked, also two at once', () => {
    using clock = new CallClock(1000, 60_000, signal)
    vi.advanceTimersByTime(600)
    clock.pause()
    clock.pause()
    vi.advanceTimersByTime(20_000)
    clock.resume()
    vi.advanceTimersByTime(5000)
    clock.resume()
    vi.advanceTimersByTime(399)
    expect(clock.signal.aborted).toBe(false)
    vi.advanceTimersByTime(1)
    expect(clock.signal.aborted).toBe(true)
  })

  it('ends with its caller, for the reason of the caller', () => {
    const caller = new AbortController()
    using clock = new CallClock(1000, 5000, caller.signal)
    caller.abort(new Error('stopped'))
    expect(clock.signal.reason).toMatchObject({ message: 'stopped' })
    using late = new CallClock(1000, 5000, caller.signal)
    expect(late.signal.aborted).toBe(true)
  })

  it('never stands still beyond its cap', () => {
    using clock = new CallClock(1000, 5000, signal)
    clock.pause()
    vi.advanceTimersByTime(5000)
    expect(clock.signal.aborted).toBe(true)
  })
})
