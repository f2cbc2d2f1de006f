import type { ServerEvent } from '@althing/protocol/model/event'
import { ManualClock } from '@althing/runtime/clock'
import { describe, expect, it } from 'vitest'
import { Outlet } from './outlet.ts'
import { routeOf } from './route.ts'

const event = (id: number): ServerEvent => ({
  id: `01900000-0000-7000-8000-${String(id).padStart(12, '0')}`,
  server_id: '01900000-0000-7000-8000-000000000000',
  server: 's',
  owner: 'u',
  method: 'event/x',
  payload: { id },
  received_at: '2026-01-01T00:00:00.000Z',
})

/** A store that a test opens and closes by hand. */
function gate() {
  const calls: { ids: string[]; id: string; pass: () => void; fail: () => void }[] = []
  const store = (events: readonly ServerEvent[], id: string) =>
    new Promise<void>((resolve, reject) => {
      calls.push({
        ids: events.map((one) => one.id),
        id,
        pass: resolve,
        fail: () => reject(new Error('down')),
      })
    })
  return { calls, store }
}

const settle = () => new Promise((resolve) => setImmediate(resolve))

describe('the outlet', () => {
  it('has one publish in flight and puts what came meanwhile into the next', async () => {
    const { calls, store } = gate()
    const outlet = new Outlet({ clock: new ManualClock(), store, onDropped: () => {} })
    for (let i = 0; i < 5; i++) outlet.offer(event(i), 10)
    await settle()
    expect(calls.map((call) => call.ids.length)).toEqual([1])
    calls[0]?.pass()
    await settle()
    expect(calls.map((call) => call.ids.length)).toEqual([1, 4])
    expect(calls[1]?.ids).toEqual([1, 2, 3, 4].map((i) => event(i).id))
    expect(calls[1]?.id).toBe(event(1).id)
  })

  it('sends again under the same id until the bus has it, in order', async () => {
    const clock = new ManualClock()
    const { calls, store } = gate()
    const outlet = new Outlet({ clock, store, onDropped: () => {} })
    outlet.offer(event(0), 10)
    outlet.offer(event(1), 10)
    await settle()
    calls[0]?.fail()
    await settle()
    clock.advance(1000)
    await settle()
    expect(calls.map((call) => call.id)).toEqual([event(0).id, event(0).id])
    calls[1]?.pass()
    await settle()
    expect(calls[2]?.ids).toEqual([event(1).id])
  })

  it('counts what it has no room for instead of growing', async () => {
    const clock = new ManualClock()
    const { store } = gate()
    const dropped: number[] = []
    const outlet = new Outlet({ clock, store, onDropped: (count) => dropped.push(count) })
    for (let i = 0; i < 10_500; i++) outlet.offer(event(i), 10)
    expect(outlet.depth).toBe(10_000)
    await settle()
    clock.advance(1000)
    await settle()
    expect(dropped).toEqual([500])
  })
})

describe('the route of a notification', () => {
  it.each([
    ['event/new_email', ['event/*'], 'event'],
    ['events/x', ['event/*'], 'ignore'],
    ['vendor/a/b', ['vendor/*/b'], 'event'],
    ['notifications/progress', ['event/*'], 'progress'],
    ['exact', ['exact'], 'event'],
    ['exactly', ['exact'], 'ignore'],
  ])('%s with %o is %s', (method, patterns, route) => {
    expect(routeOf(method, patterns)).toBe(route)
  })
})
