import { apiKey } from '@better-auth/api-key'
import { betterAuth } from 'better-auth'
import type { WebConfig } from '../config.ts'

type Pool = ReturnType<typeof import('@althing/runtime/db').openPool>

/** The accounts library: passwords, sign-in sessions, API keys. Accounts are made by administrators only. */
export function openAccounts(pool: Pool, config: WebConfig) {
  const publicUrl = config.ALTHING_PUBLIC_URL ?? `http://${config.HOST}:${config.PORT}`
  return betterAuth({
    secret: config.ALTHING_AUTH_SECRET.reveal(),
    baseURL: publicUrl,
    basePath: '/api/auth',
    database: pool,
    emailAndPassword: { enabled: true, disableSignUp: true, minPasswordLength: 10, maxPasswordLength: 128 },
    telemetry: { enabled: false },
    logger: { disabled: true },
    user: { additionalFields: { role: { type: 'string', input: false, defaultValue: 'member' } } },
    advanced: {
      cookiePrefix: 'althing',
      useSecureCookies: publicUrl.startsWith('https:'),
      database: { generateId: 'uuid' },
      ipAddress: { disableIpTracking: true },
    },
    plugins: [
      // Its own limit is a few requests a day; who may call how often is not a matter of the key.
      apiKey({ defaultPrefix: 'althing_', rateLimit: { enabled: false } }),
    ],
  })
}

export type Accounts = ReturnType<typeof openAccounts>
