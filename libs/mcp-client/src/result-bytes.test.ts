import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { resultBytes } from './result-bytes.ts'

describe('resultBytes', () => {
  it('cuts out exactly the result, in both usual orders', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat(), fc.boolean(), (value, id, asText) => {
        const shown = asText ? String(id) : id
        const orders = [
          { jsonrpc: '2.0', id: shown, result: value },
          { result: value, jsonrpc: '2.0', id: shown },
        ]
        for (const message of orders) {
          expect(resultBytes(Buffer.from(JSON.stringify(message)))?.toString()).toBe(JSON.stringify(value))
        }
      }),
    )
  })

  it.each([
    '{"id":1,"jsonrpc":"2.0","result":{}}',
    '{"jsonrpc": "2.0","id":1,"result":{}}',
    '[]',
    '{"result":{}}',
  ])('leaves %s alone', (line) => expect(resultBytes(Buffer.from(line))).toBeUndefined())
})
