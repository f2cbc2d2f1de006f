import type { Actor } from '@althing/protocol/model/actor'

/** Where a built-in runs. */
export interface BuiltInContext {
  readonly actor: Actor
}

/** A tool of the agent's own. */
export interface BuiltIn {
  readonly name: string
  readonly description: string
  readonly schema: Record<string, unknown>
  /** The result, as JSON. Rejects with an AppError whose text the model reads. */
  run(args: Record<string, unknown>, context: BuiltInContext): Promise<unknown>
}
