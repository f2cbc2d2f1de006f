import { randomUUIDv7 } from 'node:crypto'
import { callTool as callToolOnBus, ensureConnection } from '@althing/protocol/bus/gateway'
import { callTool } from '@althing/protocol/http/servers'
import type { Actor } from '@althing/protocol/model/actor'
import type { Bus } from '@althing/runtime/bus/bus'
import { Located } from '@althing/runtime/bus/located'
import type { FastifyReply } from 'fastify'
import type { RouteBinder } from './bind.ts'

interface Target {
  readonly actor: Actor
  readonly name: string
}

/** The hot path: the result's bytes go from the bus to the socket, and nothing here reads them. */
export function bindCallTool(routes: RouteBinder, bus: Bus): void {
  const connections = new Located<Target, string>(
    async (target) => (await bus.call(ensureConnection, target)).connection,
    ({ actor, name }) => `${actor.user}/${actor.role}/${name}`,
  )

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
function closedEarly(reply: FastifyReply): AbortSignal {
  const closed = new AbortController()
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) closed.abort()
  })
  return closed.signal
}
