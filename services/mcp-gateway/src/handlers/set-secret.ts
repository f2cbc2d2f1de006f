import { AppError } from '@althing/protocol/errors'
import type { Actor } from '@althing/protocol/model/actor'
import type { SecretInfo } from '@althing/protocol/model/secret'
import type { Envelope } from '@althing/runtime/envelope'
import { putSecret } from '../db/secrets.ts'
import type { GatewayDb } from '../db/tables.ts'
import { restartUses, usesOf } from '../secrets/uses.ts'
import { secretView } from './list-secrets.ts'

export interface SecretDeps {
  readonly db: GatewayDb
  readonly envelope: Envelope
  readonly reconcile: (serverId: string) => Promise<void>
}

export function setSecret({ db, envelope, reconcile }: SecretDeps) {
  return async ({
    actor,
    name,
    value,
  }: {
    actor: Actor
    name: string
    value: string
  }): Promise<SecretInfo> => {
    if (actor.role === 'auditor') throw new AppError('forbidden', 'An auditor may look, and change nothing.')
    const secret = await putSecret(db, envelope, actor.user, name, value)
    const uses = await usesOf(db, envelope, actor)
    const using = uses.filter((use) => use.names.has(name)).map((use) => use.server)
    await restartUses(db, actor, using, reconcile)
    return secretView(secret, uses)
  }
}
