import { memo, useEffect, useLayoutEffect, useRef, useState } from 'react'
import {
  followLog,
  isAtLeast,
  type LogRecord,
  readLogLine,
  type Severity,
  severityOf,
} from '../../api/server-log.ts'
import { addresses } from '../../paths.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Select } from '../../ui/field.tsx'
import { Chip, Dot } from '../../ui/tag.tsx'

/** Lines that come at first, and the most that are kept here. */
const TAIL = 500
const MOST = 20_000
/** Lines are drawn in chunks, so that a new one redraws only the last. */
const CHUNK = 200
const NEAR_END_PX = 40

const LEVELS = [
  { value: 'debug', label: 'All levels' },
  { value: 'info', label: 'Information and worse' },
  { value: 'warning', label: 'Warnings and worse' },
  { value: 'error', label: 'Errors only' },
] as const satisfies { value: Severity; label: string }[]

export function LogTab({ server }: { server: string }) {
  const { lines, connected } = useLog(server)
  const [least, setLeast] = useState<Severity>('debug')
  const [following, setFollowing] = useState(true)
  const scroller = useRef<HTMLDivElement>(null)
  const shown = least === 'debug' ? lines : lines.filter(({ tag }) => isAtLeast(tag, least))

  // biome-ignore lint/correctness/useExhaustiveDependencies: new lines are what moves the end
  useLayoutEffect(() => {
    const element = scroller.current
    if (following && element !== null) element.scrollTop = element.scrollHeight
  }, [shown, following])

  return (
    <div className="card log-card">
      <div className="row log-bar">
        <Chip>
          <Dot tone={connected ? 'accent' : 'warn'} />
          {connected ? 'live' : 'reconnecting'}
        </Chip>
        <span className="row end">
          {!following && <Button onClick={() => setFollowing(true)}>Follow</Button>}
          <Select aria-label="Level" value={least} options={LEVELS} onChange={setLeast} />
          <a className={buttonClass('ghost')} href={addresses.log(server, 10_000)} download={`${server}.log`}>
            Download
          </a>
        </span>
      </div>
      <section
        className="log"
        aria-label={`Log of ${server}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reached by keyboard
        tabIndex={0}
        ref={scroller}
        onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) =>
          setFollowing(scrollHeight - scrollTop - clientHeight < NEAR_END_PX)
        }
      >
        {shown.length === 0 && (
          <p className="muted">{lines.length === 0 ? 'Nothing is logged yet.' : 'No line of this level.'}</p>
        )}
        {chunksOf(shown).map((chunk) => (
          <Chunk key={chunk.key} lines={chunk.lines} length={chunk.lines.length} />
        ))}
      </section>
    </div>
  )
}

interface LinesChunk {
  readonly key: number
  readonly lines: readonly LogRecord[]
}

/** Cut by key, so that a chunk holds the same lines when older ones are dropped. */
function chunksOf(lines: readonly LogRecord[]): LinesChunk[] {
  const chunks = new Map<number, LogRecord[]>()
  for (const line of lines) {
    const key = Math.floor(line.key / CHUNK)
    const chunk = chunks.get(key)
    if (chunk === undefined) chunks.set(key, [line])
    else chunk.push(line)
  }
  return [...chunks].map(([key, chunk]) => ({ key, lines: chunk }))
}

const Chunk = memo(
  function Chunk({ lines }: { lines: readonly LogRecord[]; length: number }) {
    return (
      <div className="log-chunk">
        {lines.map((line) => (
          <div
            key={line.key}
            className={`log-line ${CLASS[line.tag === 'lifecycle' ? 'life' : severityOf(line.tag)]}`}
          >
            {line.at !== '' && <time dateTime={line.at}>{clockOf(line.at)}</time>}{' '}
            {line.tag !== '' && <b>[{line.tag}]</b>}
            {line.text}
          </div>
        ))}
      </div>
    )
  },
  (before, after) => before.length === after.length && before.lines[0]?.key === after.lines[0]?.key,
)

const CLASS: Readonly<Record<Severity | 'life', string>> = {
  debug: '',
  info: '',
  life: 'log-life',
  warning: 'log-warn',
  error: 'log-bad',
}

function clockOf(at: string): string {
  const date = new Date(at)
  return `${date.toLocaleTimeString('en-GB')}.${String(date.getMilliseconds()).padStart(3, '0')}`
}

/** The log as it grows. Lines that come together are drawn together. */
function useLog(server: string) {
  const [lines, setLines] = useState<readonly LogRecord[]>([])
  const [connected, setConnected] = useState(false)
  useEffect(() => {
    let next = 0
    let fresh: LogRecord[] = []
    let restart = false
    let frame = 0
    const draw = (): void => {
      frame = 0
      const added = fresh
      const anew = restart
      fresh = []
      restart = false
      setLines((old) => [...(anew ? [] : old), ...added].slice(-MOST))
    }
    const schedule = (): void => {
      frame ||= requestAnimationFrame(draw)
    }
    const stop = followLog(server, TAIL, {
      onOpen: () => {
        fresh = []
        restart = true
        schedule()
      },
      onLine: (line) => {
        for (const part of line.split('\n')) fresh.push(readLogLine(part, next++))
        schedule()
      },
      onState: setConnected,
    })
    return () => {
      stop()
      cancelAnimationFrame(frame)
    }
  }, [server])
  return { lines, connected }
}
