import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cleanText, jsonText } from './db.ts'

describe('what Postgres refuses', () => {
  it('is replaced in text, and nothing else is touched', () => {
    expect(cleanText('a\0b')).toBe('a\uFFFDb')
    expect(cleanText('\ud83d alone')).toBe('\uFFFD alone')
    expect(cleanText('é漢😀 \\u0000')).toBe('é漢😀 \\u0000')
  })

  it('is replaced in the strings and keys of JSON', () => {
    expect(jsonText({ 'k\0': ['a\0', '\udc00'], literal: '\\u0000' })).toBe(
      JSON.stringify({ 'k\uFFFD': ['a\uFFFD', '\uFFFD'], literal: '\\u0000' }),
    )
  })

  it('is in no JSON that is made here, whatever goes in', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 3 }), fc.string({ unit: 'binary' }), (text, more) => {
        const made = jsonText({ value: JSON.parse(text), more })
        expect(() => JSON.parse(made)).not.toThrow()
        expect(JSON.stringify(JSON.parse(made))).not.toMatch(
          /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f][0-9a-f]{2})/,
        )
      }),
    )
  })
})
