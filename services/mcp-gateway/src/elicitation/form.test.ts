import { describe, expect, it } from 'vitest'
import { mustFit, readQuestion } from './form.ts'

const form = (properties: object, more: object = {}) =>
  readQuestion({ message: 'm', requestedSchema: { type: 'object', properties, ...more } })

// @case B60: shapes of forms
describe('readQuestion', () => {
  it('marks what must be masked', () => {
    const { sensitive } = form({
      a: { type: 'string', format: 'password' },
      b: { type: 'string', writeOnly: true },
      dbPassword: { type: 'string' },
      api_token: { type: 'string' },
      name: { type: 'string' },
    })
    expect(sensitive).toEqual(['a', 'b', 'dbPassword', 'api_token'])
  })

  it('keeps every kind of field, with defaults that are false or zero', () => {
    const properties = {
      c: { type: 'string', oneOf: [{ const: 'r', title: 'Red' }] },
      t: { type: 'array', items: { enum: ['a', 'b'] }, default: ['a'] },
      u: { type: 'array', items: { anyOf: [{ const: 'x', title: 'X' }] } },
      l: { type: 'string', enum: ['1'], enumNames: ['One'] },
      n: { type: 'integer', default: 0 },
      b: { type: 'boolean', default: false },
    }
    const question = form(properties, { required: ['c'] })
    expect(question.schema).toEqual({ type: 'object', properties, required: ['c'] })
    expect(question.unsupported).toBeUndefined()
  })

  it('follows a local reference and names what cannot be shown', () => {
    const question = form(
      {
        color: { $ref: '#/$defs/Color', title: 'Color' },
        deep: { type: 'object' },
        far: { $ref: 'http://x/y' },
      },
      { $defs: { Color: { type: 'string', enum: ['r'] } } },
    )
    expect(question.schema.properties).toMatchObject({ color: { enum: ['r'], title: 'Color' } })
    expect(question.unsupported).toEqual(['deep', 'far'])
  })

  it('takes a form without fields as a confirmation, also when there is no schema', () => {
    expect(readQuestion({ message: 'Sure?' })).toMatchObject({ mode: 'form', schema: { properties: {} } })
  })

  it.each(['javascript:alert(1)', 'file:///etc/passwd', 'data:text/html,x', 'no address', undefined])(
    'refuses the address %s',
    (url) => expect(() => readQuestion({ mode: 'url', message: 'm', url })).toThrow('not a web address'),
  )
})

describe('mustFit', () => {
  const question = form(
    {
      c: { type: 'string', oneOf: [{ const: 'r', title: 'Red' }] },
      t: { type: 'array', items: { enum: ['a', 'b'] } },
      n: { type: 'integer', minimum: 0 },
    },
    { required: ['c'] },
  )

  it('lets pass what fits, with its types', () => {
    expect(mustFit({ c: 'r', t: ['a', 'b'], n: 0 }, question)).toEqual({ c: 'r', t: ['a', 'b'], n: 0 })
  })

  it.each([
    [{}, 'content.c'],
    [{ c: 'blue' }, 'content.c'],
    [{ c: 'r', n: '3' }, 'content.n'],
    [{ c: 'r', t: ['z'] }, 'content.t'],
    [{ c: 'r', more: 1 }, '"more"'],
    ['r', 'content:'],
  ])('refuses %j and names the field, not the value', (content, name) => {
    expect(() => mustFit(content, question)).toThrow(name)
    expect(() => mustFit(content, question)).not.toThrow('blue')
  })
})
