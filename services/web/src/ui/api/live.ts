import type { LiveEvent, LiveEventType } from '@althing/protocol/model/live'
import { useSyncExternalStore } from 'react'
import { addresses } from '../paths.ts'

/** Every type of event; a new one in the contract that is missing here is a type error. */
const TYPES: Readonly<Record<LiveEventType, true>> = {
  'turn.state': true,
  'message.created': true,
  'message.delta': true,
  'message.done': true,
  'tool.started': true,
  'tool.progress': true,
  'tool.done': true,
  'inbox.changed': true,
  'server.state': true,
  'server.log': true,
  'briefing.created': true,
  'event.received': true,
}

const RETRY_MS = [1_000, 2_000, 5_000, 10_000, 15_000]

let connected = true
const watchers = new Set<() => void>()

function setConnected(value: boolean): void {
  if (connected === value) return
  connected = value
  for (const watcher of watchers) watcher()
}

/** False while the live stream is away. */
export function useConnected(): boolean {
  return useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },
    () => connected,
  )
}

export interface LiveHandlers {
  readonly onEvent: (event: LiveEvent) => void
  /** The stream could not resume where it stopped: whatever is cached may be old. */
  readonly onFresh: () => void
}

/**
 * Follows `/api/live` until the returned function is called. The browser itself reconnects and sends
 * `Last-Event-ID`; a refused connection is opened anew here. The caches are read again whenever it could not resume.
 */
export function followLive({ onEvent, onFresh }: LiveHandlers): () => void {
  let source: EventSource | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let failures = 0
  // What was read before the stream stood may be old already.
  let behind = true

  const open = (): void => {
    source = new EventSource(addresses.live)
    source.addEventListener('open', () => {
      failures = 0
      setConnected(true)
      if (behind) onFresh()
      behind = false
    })
    source.addEventListener('error', () => {
      setConnected(false)
      if (source?.readyState !== EventSource.CLOSED) return
      behind = true
      const wait = RETRY_MS[Math.min(failures++, RETRY_MS.length - 1)]
      timer = setTimeout(open, wait)
    })
    for (const type of Object.keys(TYPES))
      source.addEventListener(type, (message: MessageEvent<string>) => {
        onEvent({ type, data: JSON.parse(message.data) } as LiveEvent)
      })
    source.addEventListener('resync', onFresh)
  }

  const retryNow = (): void => {
    if (source?.readyState !== EventSource.CLOSED) return
    clearTimeout(timer)
    open()
  }

  open()
  window.addEventListener('online', retryNow)
  return () => {
    window.removeEventListener('online', retryNow)
    clearTimeout(timer)
    source?.close()
    setConnected(true)
  }
}
