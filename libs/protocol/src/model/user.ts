import * as z from 'zod'
import { Role } from './actor.ts'
import { Timestamp, UserId } from './ids.ts'

export const User = z
  .object({ id: UserId, email: z.email(), name: z.string(), role: Role })
  .meta({ id: 'User' })
export type User = z.infer<typeof User>

export const ApiKey = z
  .object({
    id: z.string(),
    name: z.string(),
    created_at: Timestamp,
    last_used_at: Timestamp.optional(),
  })
  .meta({ id: 'ApiKey' })
export type ApiKey = z.infer<typeof ApiKey>

export const AuditEntry = z
  .object({
    id: z.string(),
    at: Timestamp,
    actor: UserId.nullable(),
    action: z.string(),
    target: z.string(),
    outcome: z.enum(['ok', 'refused', 'failed']),
    address: z.string(),
  })
  .meta({ id: 'AuditEntry' })
export type AuditEntry = z.infer<typeof AuditEntry>
