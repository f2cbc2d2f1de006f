import type { Actor } from '@althing/protocol/model/actor'
import type { ApprovalAction } from '@althing/protocol/model/approval'

/** Where a built-in runs. */
export interface BuiltInContext {
  readonly actor: Actor
  readonly callId: string
  readonly signal: AbortSignal
}

/** What a built-in gives whose result comes later: the turn parks, and the answer wakes it. */
export const WAITS = Symbol('waits')

/** A tool of the agent's own. */
export interface BuiltIn {
  readonly name: string
  readonly description: string
  readonly schema: Record<string, unknown>
  /** What happens when no rule speaks of it; `allow` when not given. */
  readonly approval?: ApprovalAction
  /** Calls of it may run beside each other. */
  readonly parallel?: boolean
  /** Whether it may be begun again after a worker died in it; true when not given. */
  readonly repeatable?: boolean
  /** The result, as JSON, or `WAITS`. Rejects with an AppError whose text the model reads. */
  run(args: Record<string, unknown>, context: BuiltInContext): Promise<unknown>
}
