import { describe, expect, it } from 'vitest'
import { SealKey, seal } from './seal.ts'

describe('a sealed value', () => {
  it('is opened by its key, for its purpose', () => {
    const key = new SealKey()
    const sealed = seal('é漢😀', key.publicKey, 'card-1')
    expect(key.open(sealed, 'card-1')).toBe('é漢😀')
    expect(sealed).not.toContain(Buffer.from('é漢😀').toString('base64').slice(0, 8))
  })

  it('is not opened by another key, for another purpose, or when it was changed', () => {
    const key = new SealKey()
    const sealed = seal('secret', key.publicKey, 'card-1')
    const changed = Buffer.from(sealed, 'base64')
    changed[50] = (changed[50] ?? 0) ^ 1
    expect(() => new SealKey().open(sealed, 'card-1')).toThrow()
    expect(() => key.open(sealed, 'card-2')).toThrow()
    expect(() => key.open(changed.toString('base64'), 'card-1')).toThrow()
    expect(() => key.open('AA==', 'card-1')).toThrow()
  })
})
