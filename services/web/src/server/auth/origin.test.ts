import { describe, expect, it } from 'vitest'
import { mustBeTrusted } from './origin.ts'

const trusted = new Set(['https://althing.example'])
const ask = (origin: string | undefined, byCookie: boolean, host = '127.0.0.1:8080') =>
  mustBeTrusted({ origin, host, byCookie, trusted })

// @case B84: other sites acting with a person's cookie
describe('the origin of a state-changing request', () => {
  it.each([
    ['http://127.0.0.1:8080', 'the own host'],
    ['https://althing.example', 'a trusted one'],
  ])('%s is taken: %s', (origin) => {
    expect(() => ask(origin, true)).not.toThrow()
  })

  it.each([
    'https://evil.example',
    'http://127.0.0.1:8081',
    'http://127.0.0.1:8080.evil.example',
    'https://althing.example.evil.example',
    'null',
    '',
  ])('%j is refused', (origin) => {
    expect(() => ask(origin, true)).toThrow(expect.objectContaining({ code: 'untrusted_origin' }))
  })

  it('may be missing only without a cookie', () => {
    expect(() => ask(undefined, false)).not.toThrow()
    expect(() => ask(undefined, true)).toThrow(expect.objectContaining({ code: 'untrusted_origin' }))
  })
})
