import type { Actor } from '@althing/protocol/model/actor'
import type { SecretInfo } from '@althing/protocol/model/secret'
import type { Envelope } from '@althing/runtime/envelope'
import { type SecretMeta, secretsOf } from '../db/secrets.ts'
import type { GatewayDb } from '../db/tables.ts'
import { type Use, usesOf } from '../secrets/uses.ts'

export function listSecrets({ db, envelope }: { db: GatewayDb; envelope: Envelope }) {
  return async ({ actor }: { actor: Actor }): Promise<{ secrets: SecretInfo[] }> => {
    const [secrets, uses] = await Promise.all([secretsOf(db, actor.user), usesOf(db, envelope, actor)])
    return { secrets: secrets.map((secret) => secretView(secret, uses)) }
  }
}

export function secretView({ name, created_at, updated_at }: SecretMeta, uses: readonly Use[]): SecretInfo {
  const users = uses.filter((use) => use.names.has(name)).map((use) => use.server.name)
  return {
    name,
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
    used_by: [...new Set(users)].sort(),
  }
}
