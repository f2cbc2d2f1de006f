import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { isTest, readSources } from './architecture/sources.ts'
import { CASES } from './cases.ts'

describe('the faults of others', () => {
  it('are each cited by a test', () => {
    const cited = new Set(
      readSources()
        .filter(({ path }) => isTest(path))
        .flatMap(({ path }) => [...readFileSync(path, 'utf8').matchAll(/@case (B\d+)/g)].map(([, id]) => id)),
    )
    expect(Object.keys(CASES).filter((id) => !cited.has(id))).toEqual([])
    expect([...cited].filter((id) => id !== undefined && !Object.hasOwn(CASES, id))).toEqual([])
  })
})
