import type { ToolCall } from '@althing/protocol/model/session'
import type { Tone } from '../../ui/tag.tsx'

interface CallWords {
  readonly tone: Tone
  /** In the header, instead of a time. */
  readonly label: string
  /** What a person has to know about this state. */
  readonly note?: string
}

export const CALL_WORDS: Readonly<Record<ToolCall['status'], CallWords>> = {
  queued: { tone: 'plain', label: 'queued', note: 'Waits for the call before it.' },
  waiting: { tone: 'warn', label: 'waits for you' },
  running: { tone: 'accent', label: 'running' },
  done: { tone: 'ok', label: 'done' },
  failed: { tone: 'bad', label: 'error' },
  cancelled: { tone: 'plain', label: 'cancelled', note: 'It was stopped before it answered.' },
  rejected: { tone: 'warn', label: 'not allowed', note: 'It was refused, so it did not run.' },
  unknown: {
    tone: 'warn',
    label: 'unknown outcome',
    note: 'Nobody knows whether this ran. It may change things, so it was not sent again. Check, then ask for it again.',
  },
}

/** The arguments on one line: the value alone when there is but one text. */
export function shortArguments(args: unknown): string {
  if (typeof args !== 'object' || args === null) return args === undefined ? '' : String(args)
  const entries = Object.entries(args)
  const [only] = entries
  if (entries.length === 1 && typeof only?.[1] === 'string') return oneLine(only[1])
  return oneLine(
    entries
      .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
      .join(', '),
  )
}

/** Past this the header does not hold the arguments, so they can be unfolded. */
const HEADER_HOLDS = 60

/** Whether the header leaves something out. */
export function hasMoreArguments(args: unknown): boolean {
  const short = shortArguments(args)
  return short.length > HEADER_HOLDS || JSON.stringify(args ?? '').includes('\\n')
}

function oneLine(text: string): string {
  return text.slice(0, 200).replaceAll(/\s+/g, ' ')
}
