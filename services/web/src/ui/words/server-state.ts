import type { Server } from '@althing/protocol/model/server'
import type { Tone } from '../ui/tag.tsx'
import { duration } from './time.ts'

interface StateWords {
  readonly label: string
  readonly tone: Tone
}

const STATES: Readonly<Record<Server['state'], StateWords>> = {
  running: { label: 'Running', tone: 'ok' },
  starting: { label: 'Starting', tone: 'accent' },
  needs_auth: { label: 'Needs sign-in', tone: 'warn' },
  backing_off: { label: 'Waiting to try again', tone: 'warn' },
  failed: { label: 'Failed', tone: 'bad' },
  disabled: { label: 'Disabled', tone: 'plain' },
  stopping: { label: 'Stopping', tone: 'plain' },
}

export function serverStateWords({ state }: Pick<Server, 'state'>): StateWords {
  return STATES[state]
}

/** When the gateway tries again, if it waits for that. */
export function nextTry({ next_try_at: at }: Server, now: Date): string | undefined {
  if (at === undefined) return undefined
  const wait = new Date(at).getTime() - now.getTime()
  return wait <= 0 ? 'trying again' : `next try in ${duration(Math.ceil(wait / 1000) * 1000)}`
}

export function toolCount(count: number): string {
  return count === 1 ? '1 tool' : `${count} tools`
}
