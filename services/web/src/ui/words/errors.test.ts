import { ERRORS } from '@althing/protocol/errors'
import { describe, expect, it } from 'vitest'
import { ApiError } from '../api/client.ts'
import { ERROR_WORDS, explain, sentence } from './errors.ts'

describe('the words of failures', () => {
  it('has two plain sentences for every code', () => {
    expect(Object.keys(ERROR_WORDS).sort()).toEqual(Object.keys(ERRORS).sort())
    for (const { what, next } of Object.values(ERROR_WORDS)) {
      expect(what).toMatch(/^[A-Z].*\.$/)
      expect(next).toMatch(/^[A-Z].*\.$/)
      expect(`${what} ${next}`).not.toMatch(/please|oops|!/i)
    }
  })

  it("puts the server's own sentence first and the next step last", () => {
    const error = new ApiError('command_not_found', 502, 'npx is not on the PATH')
    expect(sentence(error)).toBe(
      'npx is not on the PATH. Install it where the gateway runs, or give its full path.',
    )
  })

  it('explains a lost connection and whatever else is thrown', () => {
    expect(explain(new ApiError('offline', 0, 'Failed to fetch')).what).toBe('Althing cannot be reached.')
    expect(explain(new TypeError('x is undefined'))).toMatchObject({
      code: 'internal',
      detail: 'x is undefined',
    })
  })
})
