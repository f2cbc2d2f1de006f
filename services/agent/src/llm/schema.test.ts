import { Ajv } from 'ajv'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { providerSchema } from './schema.ts'

describe("a tool's schema for a provider", () => {
  it('is left as it is when it is a plain object', () => {
    const plain = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] }
    expect(providerSchema(plain)).toEqual(plain)
  })

  it('lays alternatives at the top into one object and names them', () => {
    const schema = {
      type: 'object',
      anyOf: [
        { properties: { url: { type: 'string' } }, required: ['url'] },
        { properties: { text: { type: 'string' } }, required: ['text'] },
      ],
    }
    expect(providerSchema(schema)).toEqual({
      type: 'object',
      properties: { url: { type: 'string' }, text: { type: 'string' } },
      description: 'Give one of: url; text.',
    })
  })

  it('keeps local definitions with their references', () => {
    const schema = {
      type: 'object',
      properties: { n: { $ref: '#/$defs/N' } },
      $defs: { N: { type: 'object' } },
    }
    expect(providerSchema(schema)).toEqual(schema)
  })

  it('never refuses what the server would take, nor has alternatives at the top', () => {
    const part = fc.record({
      properties: fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.constant({ type: 'string' })),
    })
    fc.assert(
      fc.property(
        fc.array(part, { minLength: 1, maxLength: 3 }),
        fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.string()),
        (parts, value) => {
          const schema = { type: 'object', anyOf: parts }
          const adapted = providerSchema(schema)
          expect(adapted).not.toHaveProperty('anyOf')
          const ajv = new Ajv({ strict: false })
          if (ajv.validate(schema, value)) expect(ajv.validate(adapted, value)).toBe(true)
        },
      ),
    )
  })
})
