import * as contracts from '@althing/protocol/bus/gateway-oauth'
import type { Actor } from '@althing/protocol/model/actor'
import type { Bus } from '@althing/runtime/bus/bus'
import { endTerm } from './db/connections.ts'
import type { GatewayDb, ServerRow } from './db/tables.ts'
import { finishOauth } from './handlers/finish-oauth.ts'
import { forgetOauth } from './handlers/forget-oauth.ts'
import { startOauth } from './handlers/start-oauth.ts'
import type { SignIns } from './oauth/sign-ins.ts'

interface ServeDeps {
  readonly bus: Bus
  readonly db: GatewayDb
  readonly signIns: SignIns
  readonly reconcile: (serverId: string) => Promise<void>
  readonly settle: (server: ServerRow, actor: Actor) => Promise<unknown>
}

/** The contracts of signing in to servers. */
export function serveSignIns(stack: AsyncDisposableStack, deps: ServeDeps): void {
  const { bus, db, signIns, reconcile, settle } = deps
  const reconnect = async (server: ServerRow, principal: string, person: string) => {
    await endTerm(db, server.id, principal)
    // The owner lets go at the first look and begins anew at the second.
    await reconcile(server.id)
    await settle(server, { user: person, role: 'member' })
  }
  stack.use(bus.serve(contracts.startOauth, startOauth({ db, signIns })))
  stack.use(bus.serve(contracts.finishOauth, finishOauth({ signIns, reconnect })))
  stack.use(bus.serve(contracts.forgetOauth, forgetOauth({ db, signIns, reconnect })))
}
