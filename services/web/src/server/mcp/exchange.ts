import type { Actor } from '@althing/protocol/model/actor'
import type { CallerSide, CallFrame } from '@althing/protocol/model/relay'
import { decode } from '@althing/runtime/bus/frames'
import { type Json, objectOf } from './message.ts'
import type { Reply } from './reply.ts'

const LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency']

/** One request of an MCP client and everything that belongs to it. */
export interface Exchange {
  readonly actor: Actor
  readonly id: string | number
  readonly params: Json
  readonly modern: boolean
  readonly side: CallerSide
  /** The least severe log message that the client wants; undefined: none. */
  readonly logLevel: string | undefined
  readonly reply: Reply
  /** Ends when the client goes away or cancels. */
  readonly signal: AbortSignal
  /** What may show up only for this session: tools that it activated. */
  readonly key: string
}

export function progressTokenOf(params: Json): unknown {
  return objectOf(params._meta).progressToken
}

/** Passes the frames of a call on to its client. */
export function passFrames({ params, reply, modern, logLevel }: Exchange): (bytes: Uint8Array) => void {
  const progressToken = progressTokenOf(params)
  return (bytes) => {
    const frame = decode(bytes) as CallFrame
    if ('ask' in frame) {
      if (modern) return
      const { instance, id, method, params: asked } = frame.ask
      reply.send({ id: askId(instance, id), method, params: asked })
    } else if ('notification' in frame) {
      const { method, params: told } = frame.notification
      if (method !== 'notifications/message' || isWanted(told, logLevel)) reply.send({ method, params: told })
    } else if ('progress' in frame && progressToken !== undefined) {
      reply.send({ method: 'notifications/progress', params: { progressToken, ...frame } })
    }
  }
}

/** The id under which a client is asked; its answer finds the way back by it, through any replica. */
export function askId(instance: string, ask: string): string {
  return `ask:${instance}:${ask}`
}

export function readAskId(id: unknown): { instance: string; ask: string } | undefined {
  const [kind, instance = '', ask = ''] = typeof id === 'string' ? id.split(':') : []
  return kind === 'ask' && /^[A-Za-z0-9]{1,64}$/.test(instance) ? { instance, ask } : undefined
}

function isWanted(params: unknown, least: string | undefined): boolean {
  if (least === undefined) return false
  const { level } = objectOf(params)
  return LEVELS.indexOf(String(level)) >= LEVELS.indexOf(least)
}
