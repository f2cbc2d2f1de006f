import { isSpanContextValid, trace } from '@opentelemetry/api'
import { type Logger, pino } from 'pino'

export type Log = Logger

/** Names under which secrets travel; their values never reach a log line. */
const REDACTED = [
  'password',
  'api_key',
  'apiKey',
  'authorization',
  'cookie',
  'token',
  'secret',
  'env',
  'headers',
  'arguments',
  'content',
].flatMap((name) => [name, `*.${name}`, `*.*.${name}`])

/** JSON lines on stdout, each with the service, the instance and the trace it belongs to. */
export function openLog(service: string, instance: string, level: string): Log {
  return pino({
    level,
    base: { service, instance },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    redact: { paths: REDACTED, censor: '***' },
    mixin: () => {
      const span = trace.getActiveSpan()?.spanContext()
      return span && isSpanContextValid(span) ? { trace_id: span.traceId } : {}
    },
  })
}
