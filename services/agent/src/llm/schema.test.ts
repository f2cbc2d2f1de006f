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

  // @case B28: references that providers lose, that recurse, or that lead elsewhere
  it('lays local definitions in, cuts recursion, and goes nowhere else', () => {
    const N = { type: 'object', properties: { next: { $ref: '#/$defs/N' } } }
    const schema = {
      type: 'object',
      properties: { n: { $ref: '#/$defs/N' }, far: { $ref: 'http://127.0.0.1:9/x.json' } },
      $defs: { N },
    }
    expect(providerSchema(schema)).toEqual({
      type: 'object',
      properties: { n: { type: 'object', properties: { next: {} } }, far: {} },
    })
  })

  it('takes the forms of older drafts and required members without a schema', () => {
    const schema = {
      id: 'x',
      type: 'object',
      properties: { a: { type: 'number', minimum: 0, exclusiveMinimum: true } },
      required: ['a', 'b'],
    }
    expect(providerSchema(schema)).toEqual({
      type: 'object',
      properties: { a: { type: 'number', minimum: 0 } },
      required: ['a'],
    })
  })

  it('knows members that are called like keywords', () => {
    const properties = {
      id: { type: 'string' },
      $ref: { type: 'string' },
      not: { type: 'string' },
      required: { type: 'boolean' },
    }
    const schema = { type: 'object', properties, required: ['id'] }
    expect(providerSchema(schema)).toEqual(schema)
    const more = { ...properties, n: { $ref: '#/$defs/N' } }
    const adapted = providerSchema({ type: 'object', properties: more, $defs: { N: { type: 'number' } } })
    expect(adapted).toEqual({ type: 'object', properties: { ...properties, n: { type: 'number' } } })
  })

  it('leaves data as it is', () => {
    const properties = { a: { enum: [{ $ref: 'x', required: true, id: 1 }], default: { not: 1 } } }
    expect(providerSchema({ type: 'object', properties })).toEqual({ type: 'object', properties })
  })

  it('ends on schemas made to grow', () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 40 }, (_, i) => [
        `d${i}`,
        { anyOf: [{ $ref: `#/$defs/d${i + 1}` }, { $ref: `#/$defs/d${i + 1}` }] },
      ]),
    )
    expect(
      providerSchema({ type: 'object', properties: { a: { $ref: '#/$defs/d0' } }, $defs }),
    ).toMatchObject({ type: 'object' })
  })

  it('never refuses what a schema with references takes', () => {
    const leaf = fc.constantFrom<object>(
      { type: 'string' },
      { type: 'integer' },
      { enum: ['x', 1] },
      { $ref: '#/$defs/A' },
      { $ref: '#/$defs/B' },
    )
    const node = fc.oneof(
      leaf,
      fc.record({ anyOf: fc.array(leaf, { minLength: 1, maxLength: 3 }) }),
      fc.record({ type: fc.constant('array'), items: leaf }),
      fc.record({ not: leaf }),
      fc.record({ oneOf: fc.array(leaf, { minLength: 1, maxLength: 3 }) }),
    )
    const schemas = fc.record({ a: node, b: node, A: node, B: leaf })
    const values = fc.dictionary(
      fc.constantFrom('a', 'b'),
      fc.oneof(fc.string(), fc.integer(), fc.constantFrom('x', 1), fc.array(fc.string())),
    )
    const ajv = new Ajv({ strict: false })
    fc.assert(
      fc.property(schemas, values, ({ a, b, A, B }, value) => {
        const schema = { type: 'object', properties: { a, b }, $defs: { A, B } }
        let takes: boolean
        try {
          takes = ajv.validate(schema, value)
        } catch {
          // A reference that only leads to itself: no validator takes that.
          return
        }
        if (takes) expect(ajv.validate(providerSchema(schema), value)).toBe(true)
      }),
    )
  })

  // @case B27: alternatives at the top of a schema
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
