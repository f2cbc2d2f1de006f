import { describe, expect, it } from 'vitest'
import { placeOf, safeAddress } from './safe-address.ts'

describe('links in untrusted text', () => {
  it('follow only the web and mail', () => {
    expect(safeAddress('https://example.org/a?b')).toBe('https://example.org/a?b')
    expect(safeAddress('mailto:a@example.org')).toBe('mailto:a@example.org')
    for (const bad of [
      'javascript:alert(1)',
      'JaVaScRiPt:alert(1)',
      'data:text/html,x',
      'file:///etc',
      '/inbox',
      'x',
    ])
      expect(safeAddress(bad)).toBeUndefined()
  })

  it('say where they lead', () => {
    expect(placeOf('https://example.org:8443/a')).toBe('example.org:8443')
    expect(placeOf('mailto:a@example.org')).toBe('a@example.org')
  })
})
