import type { Event } from '@althing/protocol/model/event'

/** What the addresses hold after the question mark. Anything unknown is left out. */

export const SERVER_TABS = ['tools', 'console', 'log', 'settings'] as const
export type ServerTab = (typeof SERVER_TABS)[number]

export const EVENT_STATES = ['pending', 'claimed', 'settled', 'dead'] as const satisfies Event['state'][]

type Raw = Readonly<Record<string, unknown>>

function oneOf<const V extends string>(values: readonly V[], value: unknown): V | undefined {
  return values.find((candidate) => candidate === value)
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

function given<T extends object>(search: T): T {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined)) as T
}

/** Only a path of this site is a place to go on to after the sign-in. */
export function readSignInSearch(raw: Raw): { next?: string | undefined } {
  const next = text(raw.next)
  return given({ next: next !== undefined && /^\/(?![/\\])/.test(next) ? next : undefined })
}

export function readServerSearch(raw: Raw): { tab?: ServerTab | undefined; tool?: string | undefined } {
  return given({ tab: oneOf(SERVER_TABS, raw.tab), tool: text(raw.tool) })
}

export function readEventsSearch(raw: Raw): {
  state?: Event['state'] | undefined
  server?: string | undefined
  event?: string | undefined
} {
  return given({ state: oneOf(EVENT_STATES, raw.state), server: text(raw.server), event: text(raw.event) })
}
