import { describe, expect, it } from 'vitest'
import type { Ask } from './ask.ts'
import { CallClock } from './call-clock.ts'
import { type OpenCall, OpenCalls } from './open-calls.ts'

const { signal } = new AbortController()
const ask: Ask = { method: 'elicitation/create', params: {} }

function call(caller: string, answer = async () => caller as unknown): OpenCall & Disposable {
  const clock = new CallClock(10_000, 10_000, signal)
  return {
    caller,
    clock,
    answer,
    onNotification: undefined,
    [Symbol.dispose]: () => clock[Symbol.dispose](),
  }
}

describe('OpenCalls', () => {
  it('puts a question to the only caller', async () => {
    const calls = new OpenCalls()
    using mine = call('ada')
    using _in = await calls.enter(mine, signal)
    expect(await calls.ask(ask, signal)).toBe('ada')
  })

  it('asks nobody when two callers have calls, then lets one in at a time', async () => {
    const calls = new OpenCalls()
    using mine = call('ada')
    using theirs = call('bob')
    const first = await calls.enter(mine, signal)
    const second = await calls.enter(theirs, signal)
    await expect(calls.ask(ask, signal)).rejects.toThrow('which call')
    first[Symbol.dispose]()
    let entered = false
    const third = Promise.resolve(calls.enter(mine, signal)).then((left) => {
      entered = true
      return left
    })
    expect(await calls.ask(ask, signal)).toBe('bob')
    expect(entered).toBe(false)
    second[Symbol.dispose]()
    const left = await third
    expect(await calls.ask(ask, signal)).toBe('ada')
    left[Symbol.dispose]()
  })

  it('lets a waiting call go when it is cancelled', async () => {
    const calls = new OpenCalls()
    using mine = call('ada')
    using theirs = call('bob')
    using _first = await calls.enter(mine, signal)
    using _second = await calls.enter(theirs, signal)
    await calls.ask(ask, signal).catch(() => {})
    const stop = new AbortController()
    const waiting = calls.enter(call('cy'), stop.signal)
    stop.abort(new Error('stopped'))
    await expect(waiting).rejects.toThrow('stopped')
  })
})
