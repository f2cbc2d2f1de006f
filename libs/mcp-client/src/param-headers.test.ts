import { describe, expect, it } from 'vitest'
import { headerFault, paramHeaders } from './param-headers.ts'

const named = (name: unknown, type = 'string') => ({ type, 'x-mcp-header': name })

describe('paramHeaders', () => {
  it('names the arguments that declare a header, at any depth', () => {
    const schema = {
      properties: { region: named('Region'), deep: { properties: { n: named('N', 'integer') } }, other: {} },
    }
    const args = { region: 'eu', deep: { n: 3 }, other: 'x', more: 1 }
    expect(paramHeaders(schema, args)).toEqual({ 'Mcp-Param-Region': 'eu', 'Mcp-Param-N': '3' })
  })

  it.each([
    ['größe', '=?base64?Z3LDtsOfZQ==?='],
    ['', '=?base64??='],
    [' padded', '=?base64?IHBhZGRlZA==?='],
    ['a\r\nb', '=?base64?YQ0KYg==?='],
    ['=?base64?eA==?=', '=?base64?PT9iYXNlNjQ/ZUE9PT89?='],
    ['plain', 'plain'],
  ])('sends %j as a header value', (text, header) => {
    expect(paramHeaders({ properties: { a: named('A') } }, { a: text })).toEqual({ 'Mcp-Param-A': header })
  })

  it('leaves out what is null, absent or no plain value', () => {
    const schema = { properties: { a: named('A'), b: named('B'), c: named('C') } }
    expect(paramHeaders(schema, { a: null, b: { x: 1 } })).toEqual({})
  })
})

describe('headerFault', () => {
  it.each([
    [{ properties: { a: named('') } }],
    [{ properties: { a: named('two words') } }],
    [{ properties: { a: named('A', 'number') } }],
    [{ properties: { a: named('A'), b: named('a') } }],
    [{ properties: { a: { items: named('A') } } }],
    [{ anyOf: [{ properties: { a: named('A') } }] }],
    [named('A')],
  ])('refuses %j', (schema) => {
    expect(headerFault(schema)).toBeTypeOf('string')
  })

  it('has nothing against plain schemas', () => {
    expect(headerFault({ properties: { a: named('A'), b: { type: 'object' } } })).toBeUndefined()
  })
})
