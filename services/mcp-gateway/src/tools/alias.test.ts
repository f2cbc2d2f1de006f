import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { aliasOf } from './alias.ts'

const server = fc.stringMatching(/^[a-z0-9-]{1,32}$/)
const tool = fc.string({ minLength: 1, maxLength: 120 })

// @case B22: tool names that model providers refuse
// @case B23: tool names that are too long
// @case B24: names that could be split in two ways
describe('an alias', () => {
  it('is plain where nothing is ambiguous', () => {
    expect(aliasOf('mail', 'send')).toBe('mcp__mail__send')
    expect(aliasOf('everything', 'get-sum')).toBe('mcp__everything__get-sum')
  })

  it('is what every model provider accepts', () => {
    fc.assert(fc.property(server, tool, (s, t) => /^[A-Za-z0-9_-]{1,64}$/.test(aliasOf(s, t))))
  })

  it('tells apart what differs', () => {
    fc.assert(
      fc.property(server, tool, server, tool, (s1, t1, s2, t2) => {
        fc.pre(s1 !== s2 || t1 !== t2)
        return aliasOf(s1, t1) !== aliasOf(s2, t2)
      }),
    )
  })

  it('is not to be had by a tool that is named like the hashed form of another', () => {
    const hashed = aliasOf('mail', 'a.b')
    expect(aliasOf('mail', hashed.slice('mcp__mail__'.length))).not.toBe(hashed)
  })

  it.each([
    ['a.b', 'a_b'],
    ['user/update', 'user_update'],
    ['größe', 'gr__e'],
    ['performance_analyze_insight_for_the_region_north', 'performance_analyze_insight_for_the_region_south'],
  ])('tells %s from %s', (one, other) => {
    const long = 'quarterly-revenue-analysis-servic'.slice(0, 32)
    expect(aliasOf(long, one)).not.toBe(aliasOf(long, other))
  })
})
