import type { Role } from '@althing/protocol/model/actor'

export const ROLES = [
  { value: 'member', label: 'Member' },
  { value: 'admin', label: 'Administrator' },
  { value: 'auditor', label: 'Auditor' },
] as const satisfies { value: Role; label: string }[]
