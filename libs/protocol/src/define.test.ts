import { describe, expect, it } from 'vitest'
import { subject } from './define.ts'

describe('a subject', () => {
  const call = subject('gateway.v1.tool.call.{connection}')

  it('is built from its template', () => {
    expect(call.at({ connection: 'abc-1' })).toBe('gateway.v1.tool.call.abc-1')
    expect(call.wildcard).toBe('gateway.v1.tool.call.*')
  })

  it.each(['', '*', '>', 'a.b', 'a b', 'a\n', 'ä', 'x'.repeat(65)])(
    'is never widened by %j',
    (connection) => {
      expect(() => call.at({ connection })).toThrow(TypeError)
    },
  )
})
