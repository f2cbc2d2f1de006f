import { AppError } from '@althing/protocol/errors'
import { describe, expect, it } from 'vitest'
import { ManualClock } from '../clock.ts'
import { Located } from './located.ts'

function open() {
  const clock = new ManualClock()
  let asked = 0
  const located = new Located<string, number>(
    async () => ++asked,
    (key) => key,
    { clock, pauseMs: 100, patienceMs: 1000, believeMs: 5000 },
  )
  return { clock, located, asked: () => asked }
}

const settle = () => new Promise((resolve) => setImmediate(resolve))

describe('an address that moves', () => {
  it('is asked for once while it works, and again after a time', async () => {
    const { clock, located, asked } = open()
    await located.run('a', async () => {})
    await located.run('a', async () => {})
    expect(asked()).toBe(1)
    clock.advance(6000)
    await located.run('a', async () => {})
    expect(asked()).toBe(2)
  })

  it('is asked for anew when nothing was delivered', async () => {
    const { clock, located } = open()
    const run = located.run('a', async (address) => {
      if (address < 3) throw new AppError('unavailable', 'nobody')
      return address
    })
    for (let i = 0; i < 3; i++) {
      await settle()
      clock.advance(100)
    }
    expect(await run).toBe(3)
  })

  it('is not tried again when the work may have been done', async () => {
    const { located, asked } = open()
    await expect(
      located.run('a', async () => Promise.reject(new AppError('owner_lost', 'gone'))),
    ).rejects.toMatchObject({ code: 'owner_lost' })
    expect(asked()).toBe(1)
  })

  it('is given up when the patience ends', async () => {
    const { clock, located } = open()
    const run = located.run('a', async () => Promise.reject(new AppError('unavailable', 'nobody')))
    run.catch(() => {})
    for (let i = 0; i < 12; i++) {
      await settle()
      clock.advance(100)
    }
    await expect(run).rejects.toMatchObject({ code: 'unavailable' })
  })
})
