import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { interpolate, interpolateAll, variablesIn } from './interpolate.ts'

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

describe('a table of variables', () => {
  it('is filled in as a whole, or refused as a whole by field and name', () => {
    const table = { A: '${A}', C: '$${A}', E: 'a${A}b${B}' }
    expect(interpolateAll(table, 'env', variables)).toEqual({ A: 'one', C: '${A}', E: 'aonebtwo' })
    const missing = () => interpolateAll({ ...table, B: '${MISSING}' }, 'env', variables)
    expect(missing).toThrow(/env\.B.*MISSING/)
    expect(missing).not.toThrow(/one/)
  })

  it('takes any value as it is', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.stringMatching(/^[^$]*$/), (one, two, between) => {
        const values = new Map([
          ['A', one],
          ['B', two],
        ])
        const text = `\${A}${between}\${B}`
        expect(interpolate(text, 'x', values)).toBe(one + between + two)
        expect([...variablesIn([text])]).toEqual(['A', 'B'])
      }),
    )
  })

  it('either fills everything or names a variable that is missing', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('$', '{', '}', 'A', 'Z') }), (text) => {
        const secret = 'value-of-A'
        try {
          interpolate(text, 'x', new Map([['A', secret]]))
        } catch (error) {
          expect(error).toMatchObject({ code: 'variable_missing' })
          expect(String(error)).not.toContain(secret)
        }
      }),
    )
  })
})
