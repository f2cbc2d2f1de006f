import { join } from 'node:path'
import { SecretText, ServiceConfig } from '@althing/runtime/config'
import * as z from 'zod'

const Origin = z.url().transform((text) => new URL(text).origin)

const Origins = z
  .string()
  .transform((text) =>
    text
      .split(',')
      .map((origin) => origin.trim())
      .filter((origin) => origin !== ''),
  )
  .pipe(z.array(Origin))

export const WebConfig = ServiceConfig.extend({
  PORT: z.coerce.number().int().min(0).max(65_535).default(8080),
  HOST: z.string().default('127.0.0.1'),
  ALTHING_AUTH_SECRET: SecretText,
  /** The address people type, when something stands before this service. */
  ALTHING_PUBLIC_URL: Origin.optional(),
  ALTHING_TRUSTED_ORIGINS: Origins.default([]),
  ALTHING_ADMIN_EMAIL: z.email().optional(),
  ALTHING_ADMIN_PASSWORD: SecretText.optional(),
  ALTHING_BODY_LIMIT_BYTES: z.coerce.number().int().min(1024).default(4_194_304),
  /** Sign-ins, and tries to set up, that one address may make in a minute. */
  ALTHING_SIGN_IN_LIMIT: z.coerce.number().int().min(1).default(20),
  ALTHING_UI_DIR: z.string().default(join(import.meta.dirname, '../../dist')),
})
export type WebConfig = z.infer<typeof WebConfig>
