import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { Envelope } from './envelope.ts'

const key = () => randomBytes(32).toString('base64')

const row = { table: 'servers', id: 'row', owner: 'ada' }

describe('a sealed value', () => {
  it('opens with its key for its row, and looks different every time', () => {
    const envelope = new Envelope(key())
    const one = envelope.seal('planted', row)
    expect(envelope.open(one, row)).toBe('planted')
    expect(one.includes('planted')).toBe(false)
    expect(one.equals(envelope.seal('planted', row))).toBe(false)
  })

  it('does not open for another row, with another key, or changed', () => {
    const envelope = new Envelope(key())
    const sealed = envelope.seal('planted', row)
    expect(() => envelope.open(sealed, { ...row, owner: 'bob' })).toThrow()
    expect(() => new Envelope(key()).open(sealed, row)).toThrow(/another master key/)
    const changed = Buffer.from(sealed)
    changed[changed.length - 1] = (changed[changed.length - 1] ?? 0) ^ 1
    expect(() => envelope.open(changed, row)).toThrow()
  })

  it('opens with a former key, and tells that it is not of the current one', () => {
    const former = key()
    const sealed = new Envelope(former).seal('planted', row)
    const envelope = new Envelope(key(), [former])
    expect(envelope.open(sealed, row)).toBe('planted')
    expect(envelope.isCurrent(sealed)).toBe(false)
    expect(envelope.isCurrent(envelope.seal('planted', row))).toBe(true)
  })

  it('needs a key of the right length', () => {
    expect(() => new Envelope('short')).toThrow(/32 bytes/)
  })
})
