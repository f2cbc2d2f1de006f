import { AppError } from '@althing/protocol/errors'
import type { Actor } from '@althing/protocol/model/actor'
import { removeSecret, secretsOf } from '../db/secrets.ts'
import { restartUses, usesOf } from '../secrets/uses.ts'
import type { SecretDeps } from './set-secret.ts'

type Input = { actor: Actor; name: string; force: boolean }

export function deleteSecret({ db, envelope, reconcile }: SecretDeps) {
  return async ({ actor, name, force }: Input): Promise<Record<string, never>> => {
    if (actor.role === 'auditor') throw new AppError('forbidden', 'An auditor may look, and change nothing.')
    const secrets = await secretsOf(db, actor.user)
    if (!secrets.some((secret) => secret.name === name))
      throw new AppError('not_found', `There is no secret ${name}.`)
    const uses = await usesOf(db, envelope, actor)
    const using = uses.filter((use) => use.names.has(name)).map((use) => use.server)
    if (using.length > 0 && !force) {
      const servers = using.map((server) => server.name).join(', ')
      throw new AppError('conflict', `The secret ${name} is used by: ${servers}.`)
    }
    await removeSecret(db, actor.user, name)
    await restartUses(db, actor, using, reconcile)
    return {}
  }
}
