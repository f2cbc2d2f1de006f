import { AppError } from '@althing/protocol/errors'
import type { Actor } from '@althing/protocol/model/actor'
import { EVERYONE, type GatewayDb, principalOf, type ServerRow } from '../db/tables.ts'
import type { SignIns, Whereabouts } from '../oauth/sign-ins.ts'
import { mustBeAllowedToChange } from '../servers/access.ts'
import { mustFind } from './find-server.ts'

type Input = { readonly actor: Actor; readonly name: string } & Whereabouts

export function startOauth({ db, signIns }: { readonly db: GatewayDb; readonly signIns: SignIns }) {
  return async ({ actor, name, ...where }: Input): Promise<{ authorization_url: string }> => {
    const server = await mustFind(db, actor, name)
    const principal = signInPrincipal(server, actor)
    const url = await signIns.start(server, principal, actor.user, where)
    return { authorization_url: url.href }
  }
}

/** Whose consent this person may give or take back: their own, or everybody's where they may change the server. */
export function signInPrincipal(server: ServerRow, actor: Actor): string {
  const principal = principalOf(server, actor.user)
  if (principal === EVERYONE) mustBeAllowedToChange(actor, server)
  if (actor.role === 'auditor') throw new AppError('forbidden', 'An auditor may look, and change nothing.')
  return principal
}
