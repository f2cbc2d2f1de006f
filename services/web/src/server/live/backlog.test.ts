import { describe, expect, it } from 'vitest'
import { Backlog, type LiveEntry } from './backlog.ts'

const LIMITS = { maxAgeMs: 1000, maxSize: 100 }
const entry = (seq: number, user = 'ann', at = 0, text = 'x'): LiveEntry => ({ seq, user, at, text })

function filled(...entries: LiveEntry[]): Backlog {
  const backlog = new Backlog(LIMITS)
  backlog.reset('one', (entries[0]?.seq ?? 1) - 1)
  for (const one of entries) backlog.add(one)
  return backlog
}

const seqs = (entries: readonly LiveEntry[] | undefined) => entries?.map((one) => one.seq)

describe('the backlog of live events', () => {
  it('gives what came after a position, for the people asked for', () => {
    const backlog = filled(entry(1), entry(2, 'bob'), entry(3, 'all'), entry(4))
    expect(seqs(backlog.since({ epoch: 'one', seq: 1 }, ['ann', 'all']))).toEqual([3, 4])
    expect(seqs(backlog.since({ epoch: 'one', seq: 4 }, ['ann', 'all']))).toEqual([])
  })

  it('resumes a position that another replica gave out a moment ago', () => {
    expect(seqs(filled(entry(1)).since({ epoch: 'one', seq: 9 }, ['ann']))).toEqual([])
  })

  it('cannot resume in a stream that was made anew', () => {
    expect(filled(entry(1)).since({ epoch: 'two', seq: 1 }, ['ann'])).toBeUndefined()
  })

  it('forgets what is older than its age, and says so', () => {
    const backlog = filled(entry(1, 'ann', 0), entry(2, 'ann', 500), entry(3, 'ann', 1400))
    expect(backlog.since({ epoch: 'one', seq: 0 }, ['ann'])).toBeUndefined()
    expect(seqs(backlog.since({ epoch: 'one', seq: 1 }, ['ann']))).toEqual([2, 3])
  })

  it('forgets the oldest when it grows over its size', () => {
    const backlog = filled(entry(1, 'ann', 0, 'x'.repeat(60)), entry(2, 'ann', 0, 'x'.repeat(60)))
    expect(backlog.since({ epoch: 'one', seq: 0 }, ['ann'])).toBeUndefined()
    expect(seqs(backlog.since({ epoch: 'one', seq: 1 }, ['ann']))).toEqual([2])
  })

  it('stays right after thousands were dropped', () => {
    const backlog = filled(...Array.from({ length: 5000 }, (_none, index) => entry(index + 1)))
    expect(seqs(backlog.since({ epoch: 'one', seq: 4997 }, ['ann']))).toEqual([4998, 4999, 5000])
    expect(backlog.since({ epoch: 'one', seq: 4000 }, ['ann'])).toBeUndefined()
  })

  it('takes an event once', () => {
    const backlog = filled(entry(1), entry(2))
    expect(backlog.add(entry(2))).toBe('again')
    expect(seqs(backlog.since({ epoch: 'one', seq: 0 }, ['ann']))).toEqual([1, 2])
  })

  it('holds nothing from before a gap', () => {
    const backlog = filled(entry(1), entry(2))
    expect(backlog.add(entry(9))).toBe('gap')
    expect(backlog.since({ epoch: 'one', seq: 2 }, ['ann'])).toBeUndefined()
    expect(seqs(backlog.since({ epoch: 'one', seq: 8 }, ['ann']))).toEqual([9])
  })
})
