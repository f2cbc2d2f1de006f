/**
 * What a consumer or caller does about a failure.
 * `never`: the same input fails again. `later`: it may work after a wait. `unknown`: it may have run, so only
 * an idempotent request is sent again.
 */
export type RetryClass = 'never' | 'later' | 'unknown'

interface ErrorRow {
  readonly status: number
  readonly bus: number
  readonly retry: RetryClass
  readonly level: 'debug' | 'info' | 'warn' | 'error'
  readonly title: string
}

/**
 * The one error table: code -> HTTP status, numeric bus code, retry class, log level, meaning.
 * Codes are API and never change their meaning; titles may be reworded.
 */
export const ERRORS = {
  invalid_request: {
    status: 400,
    bus: 4000,
    retry: 'never',
    level: 'info',
    title: 'The request is not valid',
  },
  malformed_json: {
    status: 400,
    bus: 4001,
    retry: 'never',
    level: 'info',
    title: 'The body is not valid JSON',
  },
  unknown_action: { status: 400, bus: 4002, retry: 'never', level: 'info', title: 'The action is not known' },
  variable_missing: {
    status: 400,
    bus: 4003,
    retry: 'never',
    level: 'info',
    title: 'A variable named in the configuration is not set',
  },
  not_authenticated: { status: 401, bus: 4010, retry: 'never', level: 'info', title: 'Sign in first' },
  invalid_credentials: {
    status: 401,
    bus: 4011,
    retry: 'never',
    level: 'info',
    title: 'E-mail or password is wrong',
  },
  forbidden: { status: 403, bus: 4030, retry: 'never', level: 'warn', title: 'This is not allowed' },
  untrusted_origin: {
    status: 403,
    bus: 4031,
    retry: 'never',
    level: 'warn',
    title: 'The origin is not trusted',
  },
  address_not_allowed: {
    status: 403,
    bus: 4032,
    retry: 'never',
    level: 'warn',
    title: 'The address may not be reached',
  },
  not_found: { status: 404, bus: 4040, retry: 'never', level: 'debug', title: 'There is no such thing' },
  server_not_found: {
    status: 404,
    bus: 4041,
    retry: 'never',
    level: 'debug',
    title: 'There is no such server',
  },
  tool_not_found: {
    status: 404,
    bus: 4042,
    retry: 'never',
    level: 'debug',
    title: 'The server has no such tool',
  },
  session_not_found: {
    status: 404,
    bus: 4043,
    retry: 'never',
    level: 'debug',
    title: 'There is no such chat',
  },
  method_not_allowed: {
    status: 405,
    bus: 4050,
    retry: 'never',
    level: 'debug',
    title: 'The method is not allowed here',
  },
  server_name_taken: {
    status: 409,
    bus: 4090,
    retry: 'never',
    level: 'info',
    title: 'The server name is taken',
  },
  conflict: {
    status: 409,
    bus: 4091,
    retry: 'never',
    level: 'info',
    title: 'It was changed or answered already',
  },
  server_not_running: {
    status: 409,
    bus: 4092,
    retry: 'later',
    level: 'info',
    title: 'The server is not running',
  },
  set_up_done: {
    status: 409,
    bus: 4093,
    retry: 'never',
    level: 'info',
    title: 'The instance is set up already',
  },
  too_large: { status: 413, bus: 4130, retry: 'never', level: 'info', title: 'The body is too large' },
  result_too_large: {
    status: 502,
    bus: 4131,
    retry: 'never',
    level: 'warn',
    title: 'The result is too large',
  },
  unsupported_media_type: {
    status: 415,
    bus: 4150,
    retry: 'never',
    level: 'info',
    title: 'The content type is not supported',
  },
  rate_limited: { status: 429, bus: 4290, retry: 'later', level: 'info', title: 'Too many requests' },
  tool_changed: {
    status: 409,
    bus: 4094,
    retry: 'never',
    level: 'info',
    title: 'The tool changed and waits to be accepted',
  },
  cancelled: { status: 499, bus: 4990, retry: 'never', level: 'info', title: 'It was cancelled' },
  internal: {
    status: 500,
    bus: 5000,
    retry: 'unknown',
    level: 'error',
    title: 'Something went wrong inside',
  },
  secret_unreadable: {
    status: 500,
    bus: 5001,
    retry: 'never',
    level: 'error',
    title: 'A stored secret cannot be opened',
  },
  command_not_found: {
    status: 502,
    bus: 5020,
    retry: 'never',
    level: 'warn',
    title: 'The command was not found',
  },
  start_failed: { status: 502, bus: 5021, retry: 'later', level: 'warn', title: 'The server did not start' },
  isolation_unavailable: {
    status: 502,
    bus: 5027,
    retry: 'never',
    level: 'warn',
    title: 'The isolation that is required cannot be had',
  },
  protocol_error: {
    status: 502,
    bus: 5022,
    retry: 'unknown',
    level: 'warn',
    title: 'The server did not speak MCP',
  },
  connection_lost: {
    status: 502,
    bus: 5023,
    retry: 'unknown',
    level: 'warn',
    title: 'The server went away during the call',
  },
  needs_auth: {
    status: 502,
    bus: 5024,
    retry: 'never',
    level: 'info',
    title: 'The server asks for a sign-in',
  },
  upstream_error: {
    status: 502,
    bus: 5025,
    retry: 'never',
    level: 'info',
    title: 'The server answered with an error',
  },
  model_error: { status: 502, bus: 5026, retry: 'later', level: 'warn', title: 'The model provider failed' },
  unavailable: {
    status: 503,
    bus: 5030,
    retry: 'later',
    level: 'warn',
    title: 'Nobody serves this at the moment',
  },
  no_model: { status: 503, bus: 5031, retry: 'later', level: 'info', title: 'No model is connected' },
  overloaded: { status: 503, bus: 5032, retry: 'later', level: 'warn', title: 'The service is busy' },
  timeout: { status: 504, bus: 5040, retry: 'unknown', level: 'warn', title: 'It took too long' },
  start_timeout: {
    status: 504,
    bus: 5041,
    retry: 'later',
    level: 'warn',
    title: 'The server did not start in time',
  },
  owner_lost: {
    status: 504,
    bus: 5042,
    retry: 'unknown',
    level: 'warn',
    title: 'The service that ran this went away',
  },
} as const satisfies Record<string, ErrorRow>

export type ErrorCode = keyof typeof ERRORS

export function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === 'string' && Object.hasOwn(ERRORS, value)
}

/** A failure with a code of the table. `message` is safe to show; the cause never leaves the process. */
export class AppError extends Error {
  override readonly name = 'AppError'
  readonly code: ErrorCode
  readonly details: Readonly<Record<string, unknown>>

  constructor(
    code: ErrorCode,
    message: string,
    options: { details?: Readonly<Record<string, unknown>>; cause?: unknown } = {},
  ) {
    super(message, 'cause' in options ? { cause: options.cause } : {})
    this.code = code
    this.details = options.details ?? {}
  }

  get retry(): RetryClass {
    return ERRORS[this.code].retry
  }
}
