import type { Actor } from '@althing/protocol/model/actor'
import type { Server, ToolList } from '@althing/protocol/model/server'
import type { CallProgress, CallResult } from '@althing/protocol/model/tool'

/** What a turn needs of the gateway. `service.ts` makes it of the bus. */
export interface Gateway {
  servers(actor: Actor): Promise<Server[]>
  tools(actor: Actor, server: string): Promise<ToolList & { server_id: string }>
  /** Rejects with an AppError; `server_not_found` when the name means another server than this id by now. */
  call(
    request: {
      readonly actor: Actor
      readonly server: { readonly id: string; readonly name: string }
      readonly callId: string
      readonly tool: string
      readonly arguments: Record<string, unknown>
      readonly session?: string
    },
    signal: AbortSignal,
    onProgress: (progress: CallProgress) => void,
  ): Promise<CallResult>
}
