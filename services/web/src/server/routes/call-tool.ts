import { randomUUIDv7 } from 'node:crypto'
import { callTool as callToolOnBus } from '@althing/protocol/bus/gateway'
import { awaitTask } from '@althing/protocol/bus/gateway-relay'
import { AppError } from '@althing/protocol/errors'
import { callTool } from '@althing/protocol/http/servers'
import type { Actor } from '@althing/protocol/model/actor'
import type { Bus } from '@althing/runtime/bus/bus'
import { patiently } from '@althing/runtime/bus/patiently'
import type { FastifyReply } from 'fastify'
import type { Connections } from '../connections.ts'
import type { RouteBinder } from './bind.ts'

/** The hot path: the result's bytes go from the bus to the socket, and nothing here reads them. */
export function bindCallTool(routes: RouteBinder, bus: Bus, connections: Connections): void {
  routes.bindRaw(callTool, async ({ actor, params, body, reply }) => {
    const closed = closedEarly(reply)
    const callId = randomUUIDv7()
    const calling = connections.run(
      { actor, name: params.name },
      (connection) =>
        bus.stream(
          callToolOnBus,
          { connection },
          {
            actor,
            call_id: callId,
            tool: params.tool,
            arguments: body.arguments,
            timeout_ms: body.timeout_ms,
            progress: false,
          },
          { signal: closed },
        ),
      closed,
    )
    const bytes = await calling.catch((error: unknown) =>
      outcomeOfTask(bus, error, { actor, call_id: callId }, closed),
    )
    return reply
      .type('application/json; charset=utf-8')
      .send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  })
}

/** A call whose stream was lost may be a task that goes on: then its outcome is waited for. Else the loss is thrown. */
function outcomeOfTask(
  bus: Bus,
  lost: unknown,
  call: { actor: Actor; call_id: string },
  signal: AbortSignal,
): Promise<Uint8Array> {
  const isLoss = lost instanceof AppError && (lost.code === 'owner_lost' || lost.code === 'connection_lost')
  if (!isLoss || signal.aborted) throw lost
  return patiently(() => bus.stream(awaitTask, {}, call, { signal }), signal).catch((error: unknown) => {
    throw error instanceof AppError && error.code === 'not_found' ? lost : error
  })
}

/** Aborted when the client goes away before it has its answer. */
export function closedEarly(reply: FastifyReply): AbortSignal {
  const closed = new AbortController()
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) closed.abort()
  })
  return closed.signal
}
