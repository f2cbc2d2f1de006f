import * as z from 'zod'
import { Timestamp } from './ids.ts'

/** The name by which `${NAME}` in a registration means a secret. */
export const SecretName = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]{0,127}$/, 'use a letter or "_", then letters, digits and "_", at most 128')
  .meta({ id: 'SecretName' })

/** 1 to 32,768 characters. It can be replaced and used, and never be read again. */
export const SecretValue = z
  .string()
  .min(1)
  .max(32_768)
  .refine((value) => !value.includes('\0'), 'a secret holds no NUL')
  .meta({ id: 'SecretValue' })

/** What can be seen of a secret: everything but its value. */
export const SecretInfo = z
  .object({
    name: SecretName,
    created_at: Timestamp,
    updated_at: Timestamp,
    used_by: z.array(z.string()).describe('Names of the servers that use it for this person'),
  })
  .meta({ id: 'SecretInfo' })
export type SecretInfo = z.infer<typeof SecretInfo>
