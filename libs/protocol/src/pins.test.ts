import { describe, expect, it } from 'vitest'
import codes from '../pins/codes.json' with { type: 'json' }
import routes from '../pins/routes.json' with { type: 'json' }
import subjects from '../pins/subjects.json' with { type: 'json' }
import { BUS_CONTRACTS, ROUTES } from './catalogue.ts'
import { ERRORS } from './errors.ts'

/** The pins are written by hand and frozen: what is in use out there must not change with a refactoring. */
describe('what others rely on', () => {
  it('keeps its subjects', () => {
    expect(
      Object.fromEntries(BUS_CONTRACTS.map((contract) => [contract.name, contract.subject.template])),
    ).toEqual(subjects)
  })

  it('keeps its routes and who may use them', () => {
    expect(
      Object.fromEntries(
        ROUTES.map(({ name, method, path, access }) => [name, `${method} ${path} ${access}`]),
      ),
    ).toEqual(routes)
  })

  it('keeps the status, the bus code and the retry class of every error', () => {
    expect(
      Object.fromEntries(
        Object.entries(ERRORS).map(([code, row]) => [code, [row.status, row.bus, row.retry]]),
      ),
    ).toEqual(codes)
  })

  it('has no bus code twice', () => {
    const numbers = Object.values(ERRORS).map((row) => row.bus)
    expect(new Set(numbers).size).toBe(numbers.length)
  })
})
