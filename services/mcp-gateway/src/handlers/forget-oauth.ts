import type { Actor } from '@althing/protocol/model/actor'
import type { GatewayDb, ServerRow } from '../db/tables.ts'
import type { SignIns } from '../oauth/sign-ins.ts'
import { mustFind } from './find-server.ts'
import { signInPrincipal } from './start-oauth.ts'

interface ForgetDeps {
  readonly db: GatewayDb
  readonly signIns: SignIns
  readonly reconnect: (server: ServerRow, principal: string, person: string) => Promise<void>
}

export function forgetOauth({ db, signIns, reconnect }: ForgetDeps) {
  return async ({ actor, name }: { actor: Actor; name: string }): Promise<Record<string, never>> => {
    const server = await mustFind(db, actor, name)
    const principal = signInPrincipal(server, actor)
    await signIns.forget(server, principal)
    await reconnect(server, principal, actor.user)
    return {}
  }
}
