import { expect, it } from 'vitest'
import { titleOf } from './title.ts'

it.each([
  ['Two messages from Ada. They are about lunch.', 'Two messages from Ada'],
  ['Disk is 94 % full!', 'Disk is 94 % full!'],
  ['First line\nsecond line', 'First line'],
  ['Version 1.2.3 is out', 'Version 1.2.3 is out'],
])('makes %j into %j', (summary, title) => expect(titleOf(summary)).toBe(title))

it('cuts a long one at a word', () => {
  const title = titleOf('word '.repeat(60))
  expect([...title].length).toBeLessThanOrEqual(90)
  expect(title).toMatch(/word…$/)
})
