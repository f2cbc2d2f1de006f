import { expect, it } from 'vitest'
import { isTest, readSources } from './architecture/sources.ts'
import { REQUIREMENTS } from './requirements.ts'

it('has a test for every promise', () => {
  const cited = new Set(
    readSources()
      .filter(({ path }) => isTest(path))
      .flatMap(({ text }) => [...text.matchAll(/@requirement (R\d+)/g)].map((match) => match[1])),
  )
  expect(Object.keys(REQUIREMENTS).filter((id) => !cited.has(id))).toEqual([])
  expect([...cited].filter((id) => id === undefined || !(id in REQUIREMENTS))).toEqual([])
})
