import type { Registration } from '@althing/protocol/model/server'
import type { Envelope } from '@althing/runtime/envelope'
import { openSecrets } from '../db/secrets.ts'
import type { GatewayDb, ServerRow } from '../db/tables.ts'
import { USER_ID, type Variables } from '../servers/interpolate.ts'
import { namesIn } from '../servers/target.ts'

interface VariableDeps {
  readonly db: GatewayDb
  readonly envelope: Envelope
  /** What an administrator lets every server use of this process. */
  readonly allowed: ReadonlyMap<string, string>
}

/**
 * What `${NAME}` means in a registration for `user`: their own secrets first, then what is allowed of this process.
 * The user is the owner of the server, or, where everybody has a connection of their own, whose connection it is:
 * nobody's connection is ever filled from another person's secrets.
 */
export function variableSource({ db, envelope, allowed }: VariableDeps) {
  return async (registration: Registration, user: string): Promise<Variables> => {
    const names = namesIn(registration)
    const secrets = await openSecrets(db, envelope, user, [...names])
    const found = new Map<string, string>()
    for (const name of names) {
      const value = secrets.get(name) ?? allowed.get(name)
      if (value !== undefined) found.set(name, value)
    }
    if (registration.identity === 'per-user') found.set(USER_ID, user)
    return found
  }
}

/** Whose secrets a connection of this server is filled from. */
export function fillerOf(server: Pick<ServerRow, 'identity' | 'owner'>, principal: string): string {
  return server.identity === 'per-user' ? principal : server.owner
}
