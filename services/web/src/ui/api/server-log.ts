import { addresses } from '../paths.ts'

export interface LogRecord {
  readonly key: number
  readonly at: string
  readonly tag: string
  readonly text: string
}

const LINE = /^(\S+)\s+\[([a-z]+)\]\s*(.*)$/s

/** Reads one line of a log: `2026-07-03T12:34:56.789Z [stderr]     text`. Anything else is text alone. */
export function readLogLine(line: string, key: number): LogRecord {
  const [, at = '', tag = '', text = line] = LINE.exec(line) ?? []
  return { key, at, tag, text }
}

export type Severity = 'debug' | 'info' | 'warning' | 'error'

const WEIGHT: Readonly<Record<Severity, number>> = { debug: 0, info: 1, warning: 2, error: 3 }

/** How grave a tag is. stderr is where servers write anything, so it counts as information. */
export function severityOf(tag: string): Severity {
  if (tag === 'debug') return 'debug'
  if (tag === 'warning') return 'warning'
  return ['error', 'critical', 'alert', 'emergency'].includes(tag) ? 'error' : 'info'
}

export function isAtLeast(tag: string, least: Severity): boolean {
  return WEIGHT[severityOf(tag)] >= WEIGHT[least]
}

export interface LogHandlers {
  /** The stream begins, or begins again: what follows starts with the tail. */
  readonly onOpen: () => void
  readonly onLine: (line: string) => void
  readonly onState: (connected: boolean) => void
}

/** Follows a server's log until the returned function is called. */
export function followLog(
  server: string,
  tail: number,
  { onOpen, onLine, onState }: LogHandlers,
): () => void {
  const source = new EventSource(addresses.log(server, tail))
  source.addEventListener('open', () => {
    onState(true)
    onOpen()
  })
  source.addEventListener('error', () => onState(false))
  const take = (message: MessageEvent<string>): void => onLine(message.data)
  source.addEventListener('message', take)
  source.addEventListener('line', take)
  return () => source.close()
}
