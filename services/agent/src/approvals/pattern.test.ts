import fc from 'fast-check'
import { expect, it } from 'vitest'
import { fitsPattern } from './pattern.ts'

it.each([
  ['mcp__mail__send', 'mcp__mail__send', true],
  ['mcp__mail__send', 'mcp__mail__sendmany', false],
  ['mcp__mail__*', 'mcp__mail__send', true],
  ['mcp__mail__*', 'mcp__mailbox__send', false],
  ['*__send', 'mcp__mail__send', true],
  ['a*a', 'a', false],
  ['a*b*a', 'aba', true],
  ['a*b*a', 'aa', false],
  ['*', '', true],
  ['mcp.*', 'mcpX', false],
])('%s and %s: %s', (pattern, name, fits) => {
  expect(fitsPattern(pattern, name)).toBe(fits)
})

it('says what the regular expression of the same pattern says', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '_', '*'), maxLength: 12 })
  fc.assert(
    fc.property(text, fc.string({ unit: fc.constantFrom('a', 'b', '_'), maxLength: 12 }), (pattern, name) => {
      const expression = new RegExp(`^${pattern.replaceAll('*', '.*')}$`)
      expect(fitsPattern(pattern, name)).toBe(expression.test(name))
    }),
  )
})
