import { AppError, ERRORS, type ErrorCode, isErrorCode } from '@althing/protocol/errors'
import type { Log } from './log.ts'

/** A bug of ours when it does not hold. Crosses every border as `internal`, without its text. */
export function invariant(condition: unknown, what: string): asserts condition {
  if (!condition) throw new Error(`invariant: ${what}`)
}

/** Any thrown value as an AppError: what is not one is a bug or an outside failure nobody wrapped. */
export function asAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown
  if (thrown instanceof Error && thrown.name === 'AbortError') {
    return new AppError('cancelled', ERRORS.cancelled.title, { cause: thrown })
  }
  return new AppError('internal', ERRORS.internal.title, { cause: thrown })
}

/** How an error crosses the bus: code and safe text. */
export interface WireError {
  readonly code: ErrorCode
  readonly message: string
}

export function toWire(error: AppError): WireError {
  return { code: error.code, message: error.code === 'internal' ? ERRORS.internal.title : error.message }
}

export function fromWire(value: unknown): AppError {
  const { code, message } = (value ?? {}) as Partial<WireError>
  if (!isErrorCode(code)) return new AppError('internal', ERRORS.internal.title)
  return new AppError(code, typeof message === 'string' ? message : ERRORS[code].title)
}

/** The one log line of a failure, at the level of its code; causes are kept, never sent. */
export function logFailure(log: Log, error: AppError, what: string): void {
  log[ERRORS[error.code].level]({ code: error.code, err: error.cause ?? error }, `${what}: ${error.message}`)
}
