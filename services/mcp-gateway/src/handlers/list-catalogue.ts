import type { Actor } from '@althing/protocol/model/actor'
import type { CatalogueEntry } from '@althing/protocol/model/catalogue-entry'
import { listVisible } from '../db/servers.ts'
import type { GatewayDb } from '../db/tables.ts'
import type { MemberPolicy } from '../servers/access.ts'

interface CatalogueDeps {
  readonly db: GatewayDb
  readonly policy: MemberPolicy
  readonly offers: readonly Omit<CatalogueEntry, 'registered'>[]
}

/** What this person may add themselves. */
export function listCatalogue({ db, policy, offers }: CatalogueDeps) {
  return async ({ actor }: { actor: Actor }): Promise<{ entries: CatalogueEntry[] }> => {
    const allowed = actor.role === 'admin' || (actor.role === 'member' && policy.stdio)
    if (!allowed) return { entries: [] }
    const names = new Set((await listVisible(db, actor)).map((row) => row.name))
    return { entries: offers.map((entry) => ({ ...entry, registered: names.has(entry.name) })) }
  }
}
