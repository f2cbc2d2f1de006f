import type { LogLine } from '@althing/protocol/model/log'

const RANKS: Readonly<Record<string, number>> = {
  stdout: 0,
  debug: 0,
  stderr: 1,
  info: 1,
  notice: 2,
  lifecycle: 2,
  warning: 3,
  error: 4,
  critical: 5,
  alert: 6,
  emergency: 7,
}

/** Whether a line is at least of this level. A tag of no level, such as `stderr`, asks for exactly that tag. */
export function isAtLeast(line: LogLine, level: string | undefined): boolean {
  if (level === undefined) return true
  if (level === 'stderr' || level === 'stdout' || level === 'lifecycle') return line.tag === level
  return (RANKS[line.tag] ?? 1) >= (RANKS[level] ?? 0)
}
