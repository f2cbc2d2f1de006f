import { describe, expect, it } from 'vitest'
import { interpolate } from './interpolate.ts'

const variables = new Map([
  ['A', 'one'],
  ['B', 'two'],
  ['NESTED', '${A}'],
])
const fill = (text: string) => interpolate(text, 'env.X', variables)

describe('variables', () => {
  it('are filled in, also several in one text', () => {
    expect(fill('a${A}b${B}')).toBe('aonebtwo')
  })

  it('can be written literally', () => {
    expect(fill('$${A}')).toBe('${A}')
  })

  it('are not looked into', () => {
    expect(fill('${NESTED}')).toBe('${A}')
  })

  it.each(['${MISSING}', '${A:-x}', '${}', '${A B}'])('refuse %s and name the field', (text) => {
    expect(() => fill(text)).toThrow(
      expect.objectContaining({ code: 'variable_missing', message: expect.stringContaining('env.X') }),
    )
  })
})
