import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ownerFor } from './placement.ts'

const instances = fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 8 })

it('gives the same owner in whatever order the instances are listed', () => {
  fc.assert(
    fc.property(fc.uuid(), instances, (id, list) => ownerFor(id, list) === ownerFor(id, [...list].reverse())),
  )
})

it('moves only the connections of the instance that went', () => {
  fc.assert(
    fc.property(fc.uuid(), instances, (id, list) => {
      const owner = ownerFor(id, list)
      return list
        .filter((gone) => gone !== owner)
        .every(
          (gone) =>
            ownerFor(
              id,
              list.filter((one) => one !== gone),
            ) === owner,
        )
    }),
  )
})

it('gives nobody where nobody lives', () => {
  expect(ownerFor('x', [])).toBeUndefined()
})
