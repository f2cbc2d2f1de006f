import type { Role } from '@althing/protocol/model/actor'
import type { AuditEntry } from '@althing/protocol/model/user'
import type { Generated } from 'kysely'

interface UserTable {
  id: string
  name: string
  email: string
  emailVerified: boolean
  createdAt: Generated<Date>
  updatedAt: Generated<Date>
  role: Role
}

interface AccountTable {
  id: string
  accountId: string
  providerId: string
  userId: string
  password: string | null
  createdAt: Generated<Date>
  updatedAt: Date
}

interface ApiKeyTable {
  id: string
  name: string | null
  /** The person whose key it is. */
  referenceId: string
  createdAt: Date
  lastRequest: Date | null
}

interface AuditTable {
  id: Generated<string>
  at: Date
  actor: string | null
  action: string
  target: string
  outcome: AuditEntry['outcome']
  address: string
}

/** What this service reads and writes itself; sessions and keys are made by the accounts library. */
export interface WebTables {
  user: UserTable
  account: AccountTable
  apikey: ApiKeyTable
  audit: AuditTable
}
