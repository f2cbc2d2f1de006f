import * as gateway from '@althing/protocol/bus/gateway'
import * as http from '@althing/protocol/http/servers'
import type { Bus } from '@althing/runtime/bus/bus'
import type { RouteBinder } from './bind.ts'

/** Connecting may take as long as a server may take to start, and then lists its tools. */
const CONNECT = { timeoutMs: 150_000 }

export function bindServers(routes: RouteBinder, bus: Bus): void {
  routes.bind(http.listServers, ({ actor }) => bus.call(gateway.listServers, { actor }))

  routes.bind(http.registerServer, ({ actor, body }) =>
    bus.call(gateway.registerServer, { actor, registration: body }, CONNECT),
  )

  routes.bind(http.testServer, ({ actor, body }) =>
    bus.call(gateway.testServer, { actor, registration: body }, CONNECT),
  )

  routes.bind(http.listCatalogue, ({ actor }) => bus.call(gateway.listCatalogue, { actor }))

  routes.bind(http.getServer, ({ actor, params }) =>
    bus.call(gateway.getServer, { actor, name: params.name }),
  )

  routes.bind(http.updateServer, ({ actor, params, body }) =>
    bus.call(gateway.updateServer, { actor, name: params.name, patch: body }, CONNECT),
  )

  routes.bind(http.deleteServer, async ({ actor, params }) => {
    await bus.call(gateway.deleteServer, { actor, name: params.name })
    return undefined
  })

  routes.bind(http.restartServer, ({ actor, params }) =>
    bus.call(gateway.restartServer, { actor, name: params.name }, CONNECT),
  )

  routes.bind(http.acceptTool, ({ actor, params, body }) =>
    bus.call(gateway.acceptTool, { actor, name: params.name, tool: params.tool, diff: body.diff }),
  )

  routes.bind(http.listTools, ({ actor, params }) =>
    bus.call(gateway.listTools, { actor, name: params.name }),
  )
}
