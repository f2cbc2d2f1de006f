import * as z from 'zod'
import { ERRORS, type ErrorCode } from '../errors.ts'
import { Timestamp } from './ids.ts'

const codes = Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]]
export const Code = z.enum(codes).meta({ id: 'ErrorCode' })

/** RFC 9457 problem details. */
export const Problem = z
  .looseObject({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    code: Code,
    detail: z.string(),
  })
  .meta({ id: 'Problem' })
export type Problem = z.infer<typeof Problem>

/** A failure that is kept and shown: why a server is not running, for example. */
export const Failure = z.object({ code: Code, detail: z.string(), at: Timestamp }).meta({ id: 'Failure' })
export type Failure = z.infer<typeof Failure>
