import { describe, expect, it } from 'vitest'
import { outputMismatch } from './output-check.ts'

const tool = (outputSchema: Record<string, unknown>) => ({
  name: 't',
  inputSchema: { type: 'object' as const },
  outputSchema,
})

describe('outputMismatch', () => {
  const schema = { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] }

  it('says nothing of what fits', () => expect(outputMismatch(tool(schema), { a: 1 })).toBeUndefined())

  it('says where a result does not fit', () => {
    expect(outputMismatch(tool(schema), { a: 'x' })).toMatch(/\/a must be number/)
  })

  it.each([{ type: 'nonsense' }, { $ref: 'http://127.0.0.1:9/x.json' }, { $ref: '#/nowhere' }])(
    'checks nothing by a schema that cannot be compiled: %j',
    (broken) => expect(outputMismatch(tool(broken), {})).toBeUndefined(),
  )
})
