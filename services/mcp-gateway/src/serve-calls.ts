import { callTool as callToolContract, gatewayLive } from '@althing/protocol/bus/gateway'
import * as relay from '@althing/protocol/bus/gateway-relay'
import type { Bus } from '@althing/runtime/bus/bus'
import type { Clock } from '@althing/runtime/clock'
import { Objects } from '@althing/runtime/objects'
import { SealKey } from '@althing/runtime/seal'
import { traceHeaders } from '@althing/runtime/telemetry'
import { InlineAsks } from './calls/inline-asks.ts'
import { ParkedCalls } from './calls/parked-calls.ts'
import { Results } from './calls/results.ts'
import { Tasks } from './calls/tasks.ts'
import type { GatewayConfig } from './config.ts'
import type { GatewayDb } from './db/tables.ts'
import { Elicitations } from './elicitation/elicitations.ts'
import { callTool } from './handlers/call-tool.ts'
import { requestServer } from './handlers/request-server.ts'
import { MediaStore } from './media/media-store.ts'
import type { Live } from './servers/registry.ts'
import type { CallableTools } from './tools/callable-tools.ts'

interface CallsDeps {
  readonly db: GatewayDb
  readonly clock: Clock
  readonly config: GatewayConfig
  readonly callable: CallableTools
  readonly find: (connection: string) => Live | undefined
}

/** A call counts as use of its connection. */
type Using = (work: () => Promise<Uint8Array>) => Promise<Uint8Array>

/** Everything that calls need beside their connection, and the way to serve a connection's calls. */
export function openCalls(bus: Bus, { db, clock, config, callable, find }: CallsDeps) {
  const { instance } = bus
  const elicitations = new Elicitations({
    db,
    clock,
    instance,
    key: new SealKey(),
    deadlineMs: config.ALTHING_ELICITATION_TIMEOUT_MS,
    onChanged: (user) =>
      bus.publish(gatewayLive, { user }, { type: 'inbox.changed', data: { total: elicitations.open } }),
  })
  const inline = new InlineAsks(instance)
  bus.passOutsizedBy(new Objects(bus, relay.payloadBucket))
  const objects = new Objects(bus, relay.mediaBucket)
  const media = new MediaStore({
    db,
    put: (id, bytes) => objects.put(id, bytes),
    largestBytes: config.ALTHING_MAX_MEDIA_BYTES,
  })
  const results = new Results(media)
  const tasks = new Tasks({ db, clock, elicitations, read: (raw, owner) => results.read(raw, owner) })
  const deps = {
    find,
    defaultTimeoutMs: config.ALTHING_CALL_TIMEOUT_MS,
    capMs: config.ALTHING_CALL_CAP_MS,
    traceMeta: traceHeaders,
    elicitations,
    inline,
    parked: new ParkedCalls(instance, config.ALTHING_ELICITATION_TIMEOUT_MS),
  }
  const call = callTool({ ...deps, tools: callable, results, tasks })
  const ask = requestServer(deps)

  /** Serves the calls of a connection from here on: only its owner ever does. Resolves once the bus knows. */
  const serve = async (connection: string, using: Using) => {
    const served = [
      bus.serveStream(callToolContract, { connection }, (input, stream) =>
        using(() => call(connection, input, stream)),
      ),
      bus.serveStream(relay.requestServer, { connection }, (input, stream) =>
        using(() => ask(connection, input, stream)),
      ),
    ]
    await bus.nats.flush()
    return { drain: async () => void (await Promise.all(served.map((one) => one.drain()))) }
  }
  return { elicitations, inline, tasks, serve }
}
