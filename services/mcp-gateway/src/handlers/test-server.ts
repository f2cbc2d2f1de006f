import { connect } from '@althing/mcp-client/connect'
import type { Connection, ConnectOptions } from '@althing/mcp-client/connection'
import type { Actor } from '@althing/protocol/model/actor'
import { renderLogLine } from '@althing/protocol/model/log'
import type { Registration, ServerTest } from '@althing/protocol/model/server'
import { type Clock, isoNow } from '@althing/runtime/clock'
import { asAppError } from '@althing/runtime/errors'
import { mask, oneLine } from '../logs/server-log.ts'
import type { Isolated } from '../sandbox/isolation.ts'
import { type MemberPolicy, mustBeAllowedToRegister } from '../servers/access.ts'
import { definitionOf } from '../tools/definition.ts'

const MOST_LINES = 200

export interface TestDeps {
  readonly policy: MemberPolicy
  readonly clock: Clock
  readonly startTimeoutMs: number
  readonly connect: Pick<ConnectOptions, 'clientInfo' | 'probeTimeoutMs' | 'maxMessageBytes' | 'graceMs'>
  readonly resolve: (registration: Registration, actor: Actor) => Promise<Isolated & { masked: string[] }>
}

/** Connects, lists and disconnects; what is learned goes into the answer and nowhere else. */
export function testServer({ policy, clock, startTimeoutMs, connect: settings, resolve }: TestDeps) {
  return async ({
    actor,
    registration,
  }: {
    actor: Actor
    registration: Registration
  }): Promise<ServerTest> => {
    const scope = registration.scope ?? (actor.role === 'admin' ? 'shared' : 'personal')
    mustBeAllowedToRegister(actor, { transport: registration.transport, scope }, policy)
    const log: string[] = []
    let masked: string[] = []
    const write = (tag: string, text: string) => {
      if (log.length < MOST_LINES)
        log.push(renderLogLine({ at: isoNow(clock), tag, text: oneLine(mask(text, masked)) }))
    }
    const { signal } = new AbortController()
    try {
      const resolved = await resolve(registration, actor)
      masked = resolved.masked
      write('lifecycle', 'starting')
      if (resolved.note !== undefined) write('lifecycle', resolved.note)
      await using connection: Connection = await connect({
        ...settings,
        target: resolved.target,
        startTimeoutMs: registration.start_timeout_ms ?? startTimeoutMs,
        onLog: ({ tag, text }) => write(tag, text),
        onNotification: () => {},
        onToolsChanged: async () => {},
        onClose: (reason) => write('lifecycle', reason),
        signal,
      })
      const { tools } = await connection.listTools(AbortSignal.timeout(startTimeoutMs))
      write('lifecycle', `works: ${tools.length} tools, ${connection.protocolVersion} (${connection.era})`)
      return {
        ok: true,
        era: connection.era,
        protocol_version: connection.protocolVersion,
        isolation: resolved.isolation,
        tools: tools.map((tool) => definitionOf(registration.name, tool)),
        log,
      }
    } catch (thrown) {
      const error = asAppError(thrown)
      write('lifecycle', `failed: ${error.message}`)
      return {
        ok: false,
        tools: [],
        log,
        error: { code: error.code, detail: mask(error.message, masked), at: isoNow(clock) },
      }
    }
  }
}
