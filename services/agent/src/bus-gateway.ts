import { callTool, ensureConnection, listServers, listTools } from '@althing/protocol/bus/gateway'
import { awaitTask } from '@althing/protocol/bus/gateway-relay'
import { AppError } from '@althing/protocol/errors'
import type { Actor } from '@althing/protocol/model/actor'
import { CallProgress, type CallResult } from '@althing/protocol/model/tool'
import type { Bus } from '@althing/runtime/bus/bus'
import { decode } from '@althing/runtime/bus/frames'
import { Located } from '@althing/runtime/bus/located'
import { patiently } from '@althing/runtime/bus/patiently'
import type { Gateway } from './turn/gateway.ts'

interface Wanted {
  readonly actor: Actor
  readonly server: { readonly id: string; readonly name: string }
}

/** A gateway that restarts is waited for, and no longer than patience lasts. */
const NEVER = AbortSignal.any([])

/** The gateway as a turn sees it, over the bus. */
export function busGateway(bus: Bus): Gateway {
  const located = new Located<Wanted, string>(
    async ({ actor, server }) => {
      const found = await bus.call(ensureConnection, { actor, name: server.name })
      if (found.server_id !== server.id) {
        throw new AppError(
          'server_not_found',
          `The server "${server.name}" was made anew: activate it again.`,
        )
      }
      return found.connection
    },
    ({ actor, server }) => `${actor.user} ${server.id}`,
  )
  return {
    servers: async (actor) => (await patiently(() => bus.call(listServers, { actor }), NEVER)).servers,
    tools: (actor, name) => patiently(() => bus.call(listTools, { actor, name }), NEVER),
    call: ({ actor, server, callId, tool, arguments: args, session }, signal, onProgress) =>
      located
        .run(
          { actor, server },
          async (connection) => {
            const bytes = await bus.stream(
              callTool,
              { connection },
              {
                actor,
                call_id: callId,
                tool,
                arguments: args,
                ...(session === undefined ? {} : { session_id: session }),
              },
              {
                signal,
                onProgress: (frame) => {
                  const progress = CallProgress.safeParse(decode(frame))
                  if (progress.success) onProgress(progress.data)
                },
              },
            )
            return decode(bytes) as CallResult
          },
          signal,
        )
        .catch(async (lost: unknown) => {
          // A call whose stream was lost may be a task that goes on: then its outcome is waited for.
          const isLoss =
            lost instanceof AppError && (lost.code === 'owner_lost' || lost.code === 'connection_lost')
          if (!isLoss || signal.aborted) throw lost
          const bytes = await patiently(
            () => bus.stream(awaitTask, {}, { actor, call_id: callId }, { signal }),
            signal,
          ).catch((error: unknown) => {
            throw error instanceof AppError && error.code === 'not_found' ? lost : error
          })
          return decode(bytes) as CallResult
        }),
  }
}
