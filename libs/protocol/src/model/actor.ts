import * as z from 'zod'
import { UserId } from './ids.ts'

export const Role = z.enum(['admin', 'member', 'auditor']).meta({ id: 'Role' })
export type Role = z.infer<typeof Role>

/** On whose behalf a request is made. Set by web after it has authenticated the person, never by a client. */
export const Actor = z.object({ user: UserId, role: Role }).meta({ id: 'Actor' })
export type Actor = z.infer<typeof Actor>
