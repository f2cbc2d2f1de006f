import type { LogRecord } from './transport/stdio.ts'

const LEVELS = new Set(['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'])

/** A `notifications/message` as a log record; an unknown level counts as `info`. */
export function readLogMessage(params: unknown): LogRecord {
  const { level, logger, data } = (params ?? {}) as { level?: unknown; logger?: unknown; data?: unknown }
  const text = typeof data === 'string' ? data : JSON.stringify(data ?? '')
  return {
    tag: typeof level === 'string' && LEVELS.has(level) ? level : 'info',
    text: typeof logger === 'string' ? `${logger}: ${text}` : text,
  }
}

/** A `notifications/progress`, or undefined when it has no number. */
export function readProgress(
  params: unknown,
): { progress: number; total?: number; message?: string } | undefined {
  const { progress, total, message } = (params ?? {}) as {
    progress?: unknown
    total?: unknown
    message?: unknown
  }
  if (typeof progress !== 'number') return undefined
  return {
    progress,
    ...(typeof total === 'number' ? { total } : {}),
    ...(typeof message === 'string' ? { message } : {}),
  }
}
