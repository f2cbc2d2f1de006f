import { describe, expect, it } from 'vitest'
import { hasMoreArguments, shortArguments } from './call-words.ts'

describe('the arguments of a call in a header', () => {
  it('are the value alone when there is one text, else names with values', () => {
    expect(shortArguments({ command: 'du -sh /srv/*' })).toBe('du -sh /srv/*')
    expect(shortArguments({ city: 'Bergen', days: 5 })).toBe('city: Bergen, days: 5')
    expect(shortArguments({ script: 'a\n  b' })).toBe('a b')
    expect(shortArguments({})).toBe('')
  })

  it('can be unfolded when the header does not hold them', () => {
    expect(hasMoreArguments({ command: 'du' })).toBe(false)
    expect(hasMoreArguments({ days: 5 })).toBe(false)
    expect(hasMoreArguments({ command: 'a\nb' })).toBe(true)
    expect(hasMoreArguments({ area: { km: 2 }, days: 5 })).toBe(false)
    expect(hasMoreArguments({ command: 'x'.repeat(61) })).toBe(true)
    expect(hasMoreArguments(undefined)).toBe(false)
  })
})
