import { describe, expect, it } from 'vitest'
import { mask } from '../logs/server-log.ts'
import { disguisesOf } from './disguises.ts'

const secret = 'pl nted/+"key"='

describe('a secret in a text', () => {
  it.each([
    secret,
    encodeURIComponent(secret),
    Buffer.from(secret).toString('base64'),
    Buffer.from(secret).toString('base64url'),
    JSON.stringify(secret),
    new URLSearchParams({ key: secret }).toString(),
  ])('is masked as %s', (form) => {
    const masked = mask(`before ${form} after`, disguisesOf(secret))
    expect(masked).toContain('***')
    expect(masked).not.toMatch(/nted|cGwgbnRl/)
  })

  it('is masked line by line', () => {
    expect(mask('got first-line', disguisesOf('first-line\nsecond-line'))).toBe('got ***')
  })
})
