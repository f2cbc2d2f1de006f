import type { Actor } from '@althing/protocol/model/actor'
import type { Clock } from '@althing/runtime/clock'
import type { AgentFile } from '../agents/agent-file.ts'
import type { AgentDb, SessionRow } from '../db/tables.ts'
import type { ModelEndpoint } from '../llm/model.ts'
import type { Fence } from './fence.ts'
import type { Gateway } from './gateway.ts'
import type { Tell } from './live.ts'

/** What every turn needs. */
export interface TurnDeps {
  readonly db: AgentDb
  readonly clock: Clock
  readonly gateway: Gateway
  readonly agents: readonly AgentFile[]
  readonly endpoint: () => Promise<ModelEndpoint>
  /** Rounds of the chat's own agent, and of a sub-agent, before they are ended. */
  readonly rounds: number
  readonly subAgentRounds: number
  /** What becomes of a call that no rule speaks of and that may change something. */
  readonly otherwise: 'ask' | 'allow'
  /** How long a card of a turn waits that nobody watches, in milliseconds. */
  readonly unattendedMs: number
  /** What waits for a person changed. */
  readonly onAsked: (user: string) => void
}

/** A turn as its worker holds it. */
export interface Turn extends TurnDeps {
  readonly session: SessionRow
  readonly actor: Actor
  readonly fence: Fence
  /** Nobody began it by hand, so nobody may be there to answer. */
  readonly unattended: boolean
  readonly tell: Tell
  readonly signal: AbortSignal
}
