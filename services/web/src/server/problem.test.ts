import { AppError, ERRORS, type ErrorCode } from '@althing/protocol/errors'
import { Problem } from '@althing/protocol/model/problem'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { appErrorOf, invalidRequest, problemOf } from './problem.ts'

describe('problem details', () => {
  it.each(Object.keys(ERRORS) as ErrorCode[])('%s has the status and title of the table', (code) => {
    const problem = problemOf(new AppError(code, 'why'))
    expect(Problem.parse(problem)).toMatchObject({
      code,
      status: ERRORS[code].status,
      title: ERRORS[code].title,
      type: `urn:althing:error:${code}`,
    })
  })

  it('keep the text of an unknown error inside', () => {
    const problem = problemOf(appErrorOf(new Error('password is hunter2')))
    expect(problem.status).toBe(500)
    expect(JSON.stringify(problem)).not.toContain('hunter2')
  })

  it('are never overwritten by details', () => {
    const error = new AppError('conflict', 'why', { details: { status: 200, code: 'ok', more: 1 } })
    expect(problemOf(error)).toMatchObject({ status: 409, code: 'conflict', more: 1 })
  })

  it('name every issue of a body', () => {
    const parsed = z.strictObject({ name: z.string() }).safeParse({ name: 1, other: 2 })
    const problem = problemOf(invalidRequest('body', parsed.error?.issues ?? []))
    expect(problem.detail).toContain('body.name')
    expect(problem.issues).toHaveLength(2)
  })

  it('translate what the framework refuses', () => {
    const tooLarge = Object.assign(new Error('x'), { code: 'FST_ERR_CTP_BODY_TOO_LARGE' })
    expect(appErrorOf(tooLarge).code).toBe('too_large')
  })
})
