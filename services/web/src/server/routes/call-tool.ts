import { randomUUIDv7 } from 'node:crypto'
import { callTool as callToolOnBus } from '@althing/protocol/bus/gateway'
import { callTool } from '@althing/protocol/http/servers'
import type { Bus } from '@althing/runtime/bus/bus'
import type { FastifyReply } from 'fastify'
import type { Connections } from '../connections.ts'
import type { RouteBinder } from './bind.ts'

/** The hot path: the result's bytes go from the bus to the socket, and nothing here reads them. */
export function bindCallTool(routes: RouteBinder, bus: Bus, connections: Connections): void {
  routes.bindRaw(callTool, async ({ actor, params, body, reply }) => {
    const closed = closedEarly(reply)
    const bytes = await connections.run(
      { actor, name: params.name },
      (connection) =>
        bus.stream(
          callToolOnBus,
          { connection },
          {
            actor,
            call_id: randomUUIDv7(),
            tool: params.tool,
            arguments: body.arguments,
            timeout_ms: body.timeout_ms,
            progress: false,
          },
          { signal: closed },
        ),
      closed,
    )
    return reply
      .type('application/json; charset=utf-8')
      .send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
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
