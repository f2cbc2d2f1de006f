import * as contracts from '@althing/protocol/bus/gateway'
import * as elicitation from '@althing/protocol/bus/gateway-elicitation'
import * as relay from '@althing/protocol/bus/gateway-relay'
import * as secrets from '@althing/protocol/bus/gateway-secrets'
import type { CatalogueEntry } from '@althing/protocol/model/catalogue-entry'
import type { LogLine } from '@althing/protocol/model/log'
import type { Bus } from '@althing/runtime/bus/bus'
import type { Clock } from '@althing/runtime/clock'
import type { InlineAsks } from './calls/inline-asks.ts'
import type { ServerRow } from './db/tables.ts'
import type { ToolTable } from './db/tools.ts'
import type { Elicitations } from './elicitation/elicitations.ts'
import { acceptTool } from './handlers/accept-tool.ts'
import { answerAsk } from './handlers/answer-ask.ts'
import { answerElicitation } from './handlers/answer-elicitation.ts'
import { awaitTask } from './handlers/await-task.ts'
import { deleteSecret } from './handlers/delete-secret.ts'
import { deleteServer } from './handlers/delete-server.ts'
import { ensureConnection } from './handlers/ensure-connection.ts'
import { findElicitation } from './handlers/find-elicitation.ts'
import { findMedia } from './handlers/find-media.ts'
import { getServer } from './handlers/get-server.ts'
import { listCatalogue } from './handlers/list-catalogue.ts'
import { listElicitations } from './handlers/list-elicitations.ts'
import { listOffers } from './handlers/list-offers.ts'
import { listSecrets } from './handlers/list-secrets.ts'
import { listServers } from './handlers/list-servers.ts'
import { listTools } from './handlers/list-tools.ts'
import { readLog } from './handlers/read-log.ts'
import { type RegisterDeps, registerServer } from './handlers/register-server.ts'
import { restartServer } from './handlers/restart-server.ts'
import { setSecret } from './handlers/set-secret.ts'
import { type TestDeps, testServer } from './handlers/test-server.ts'
import { updateServer } from './handlers/update-server.ts'

export interface ServeDeps extends RegisterDeps {
  readonly clock: Clock
  readonly tools: ToolTable
  readonly onAccepted: (server: ServerRow) => void
  readonly offers: readonly Omit<CatalogueEntry, 'registered'>[]
  readonly history: (serverId: string, lines: number) => Promise<LogLine[]>
  readonly living: () => Promise<string[]>
  readonly reconcile: (serverId: string) => Promise<void>
  readonly onDeleted: (server: ServerRow) => void
  readonly elicitations: Elicitations
  readonly inline: InlineAsks
  readonly test: Omit<TestDeps, 'policy' | 'clock'>
}

/** Serves every request of the gateway's contracts; calls are served per connection, by its owner. */
export function serveRequests(bus: Bus, deps: ServeDeps): AsyncDisposable {
  const { db, envelope, policy, clock, settle, tools } = deps
  const here = { instance: bus.instance }
  const stack = new AsyncDisposableStack()
  stack.use(bus.serve(contracts.registerServer, registerServer(deps)))
  stack.use(bus.serve(contracts.updateServer, updateServer(deps)))
  stack.use(bus.serve(contracts.restartServer, restartServer({ db, settle })))
  stack.use(bus.serve(contracts.deleteServer, deleteServer({ db, settle, onDeleted: deps.onDeleted })))
  stack.use(bus.serve(contracts.testServer, testServer({ ...deps.test, policy, clock })))
  stack.use(bus.serve(contracts.listServers, listServers({ db, envelope, tools })))
  stack.use(bus.serve(contracts.getServer, getServer({ db, envelope, tools })))
  stack.use(bus.serve(contracts.listTools, listTools({ db, tools })))
  stack.use(bus.serve(contracts.acceptTool, acceptTool({ db, tools, onAccepted: deps.onAccepted })))
  stack.use(bus.serve(contracts.listCatalogue, listCatalogue({ db, policy, offers: deps.offers })))
  stack.use(bus.serve(contracts.ensureConnection, ensureConnection(deps)))
  stack.use(bus.serve(contracts.readLog, readLog({ db, history: deps.history })))
  stack.use(bus.serve(secrets.setSecret, setSecret(deps)))
  stack.use(bus.serve(secrets.listSecrets, listSecrets(deps)))
  stack.use(bus.serve(secrets.deleteSecret, deleteSecret(deps)))
  stack.use(bus.serve(relay.listOffers, listOffers(db, tools)))
  stack.use(bus.serve(relay.answerAsk, answerAsk(deps.inline), here))
  stack.use(bus.serveStream(relay.awaitTask, null, awaitTask({ db, clock })))
  stack.use(bus.serve(relay.findMedia, findMedia(db)))
  stack.use(bus.serve(elicitation.listElicitations, listElicitations(db)))
  stack.use(bus.serve(elicitation.findElicitation, findElicitation(db)))
  stack.use(bus.serve(elicitation.answerElicitation, answerElicitation(deps.elicitations), here))
  return stack
}
