import type { AddressPolicy } from '@althing/mcp-client/transport/address-guard'
import { AppError } from '@althing/protocol/errors'
import type { Actor } from '@althing/protocol/model/actor'
import { EVERYONE, type ServerRow } from '../db/tables.ts'
import type { Live } from './registry.ts'

/** What an operator lets members do. */
export interface MemberPolicy {
  readonly stdio: boolean
  readonly privateNetworks: boolean
}

type Owned = Pick<ServerRow, 'owner' | 'scope'>

export function maySee(actor: Actor, server: Owned): boolean {
  return server.scope === 'shared' || server.owner === actor.user
}

/** Shared servers are the administrators' to change; a personal one is its owner's. */
export function mayChange(actor: Actor, server: Owned): boolean {
  if (actor.role === 'auditor') return false
  return server.scope === 'shared' ? actor.role === 'admin' : server.owner === actor.user
}

export function mustBeAllowedToChange(actor: Actor, server: Owned): void {
  if (!mayChange(actor, server))
    throw new AppError('forbidden', 'Only an administrator may change a shared server.')
}

/** Throws `forbidden` with the reason when this person may not register such a server. */
export function mustBeAllowedToRegister(
  actor: Actor,
  wanted: { readonly transport: string; readonly scope: 'shared' | 'personal' },
  policy: MemberPolicy,
): void {
  if (actor.role === 'admin') return
  if (actor.role === 'auditor') throw new AppError('forbidden', 'An auditor may look, and change nothing.')
  if (wanted.scope === 'shared')
    throw new AppError('forbidden', 'Only an administrator may share a server with everybody.')
  if (wanted.transport === 'stdio' && !policy.stdio) {
    throw new AppError(
      'forbidden',
      'A stdio server is a program on the host: only an administrator may register one.',
    )
  }
}

/** A shared server was registered by an administrator, whose networks it may reach; a member's own may not. */
export function addressPolicy(server: Owned, ownerIsAdmin: boolean, policy: MemberPolicy): AddressPolicy {
  const inner = server.scope === 'shared' || ownerIsAdmin || policy.privateNetworks
  return { loopback: inner, private: inner }
}

/** The connection for a call of this person, when this instance owns it. Throws `unavailable` or `server_not_found`. */
export function mustServe(live: Live | undefined, actor: Actor): Live {
  // Nothing was sent to the server: the caller may ask for the owner and try again.
  if (live === undefined)
    throw new AppError('unavailable', 'This gateway does not own the connection any more.')
  const { server, row } = live
  const theirs = row.principal === EVERYONE || row.principal === actor.user
  if (!theirs || !maySee(actor, server))
    throw new AppError('server_not_found', `There is no server "${server.name}".`)
  return live
}
