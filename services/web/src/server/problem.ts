import { AppError, ERRORS } from '@althing/protocol/errors'
import type { Problem } from '@althing/protocol/model/problem'
import { asAppError, logFailure } from '@althing/runtime/errors'
import type { Log } from '@althing/runtime/log'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type * as z from 'zod'

/** What the web framework refuses before a handler runs. */
const FRAMEWORK = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'invalid_request',
  FST_ERR_BAD_URL: 'invalid_request',
  FST_ERR_MAX_PARAM_LENGTH: 'invalid_request',
} as const

/** RFC 9457 problem details. What an unknown error says stays inside. */
export function problemOf(error: AppError): Problem {
  const { status, title } = ERRORS[error.code]
  return {
    ...error.details,
    type: `urn:althing:error:${error.code}`,
    title,
    status,
    code: error.code,
    detail: error.code === 'internal' ? title : error.message,
  }
}

/** Any thrown value as one of the table. */
export function appErrorOf(thrown: unknown): AppError {
  const code = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined
  if (typeof code === 'string' && Object.hasOwn(FRAMEWORK, code)) {
    const known = FRAMEWORK[code as keyof typeof FRAMEWORK]
    return new AppError(known, ERRORS[known].title, { cause: thrown })
  }
  // Serving files says 403 for a folder; that it is one is nobody's business.
  if (thrown instanceof Error && thrown.name === 'ForbiddenError') {
    return new AppError('not_found', 'There is nothing here', { cause: thrown })
  }
  return asAppError(thrown)
}

/** `invalid_request` with every issue: where it is, and what is wrong. */
export function invalidRequest(where: 'query' | 'body', issues: readonly z.core.$ZodIssue[]): AppError {
  const listed = issues.slice(0, 50).map((issue) => ({
    path: [where, ...issue.path.map(String)].join('.'),
    message: issue.message,
  }))
  const [first] = listed
  return new AppError('invalid_request', `${first?.path ?? where}: ${first?.message ?? 'not valid'}`, {
    details: { issues: listed },
  })
}

export function sendProblem(reply: FastifyReply, error: AppError): FastifyReply {
  return reply
    .code(ERRORS[error.code].status)
    .header('cache-control', 'no-store')
    .type('application/problem+json')
    .send(problemOf(error))
}

/** Answers every failure of the application in one form. */
export function answerProblems(app: FastifyInstance, log: Log): void {
  app.setErrorHandler((thrown, request: FastifyRequest, reply) => {
    const error = appErrorOf(thrown)
    logFailure(log, error, `${request.method} ${request.routeOptions.url ?? 'unknown'}`)
    return sendProblem(reply, error)
  })
}
