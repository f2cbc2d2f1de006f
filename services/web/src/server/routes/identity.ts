import { AppError } from '@althing/protocol/errors'
import {
  createApiKey,
  createUser,
  deleteApiKey,
  deleteUser,
  getAuthSession,
  getMe,
  getSetup,
  listApiKeys,
  listAudit,
  listUsers,
  setUp,
  signIn,
  signOut,
  updateUser,
} from '@althing/protocol/http/identity'
import { invariant } from '@althing/runtime/errors'
import * as z from 'zod'
import type { AuditLog } from '../audit-log.ts'
import type { Accounts } from '../auth/accounts.ts'
import type { ApiKeys } from '../auth/api-keys.ts'
import type { Identities } from '../auth/identities.ts'
import { makePassword, type People } from '../auth/people.ts'
import type { RouteBinder } from './bind.ts'

/** Signing in and out. Of the accounts library only this is reachable from outside. */
export function bindSignIn(
  routes: RouteBinder,
  accounts: Accounts,
  identities: Identities,
  people: People,
  perMinute: number,
): void {
  routes.bind(
    signIn,
    async ({ body, reply, isBy }) => {
      const response = await accounts.api.signInEmail({ body, asResponse: true })
      if (response.status >= 500) throw new Error(`sign-in answered ${response.status}`)
      if (!response.ok) throw new AppError('invalid_credentials', 'E-mail or password is wrong')
      const { user } = z.object({ user: z.object({ id: z.string() }) }).parse(await response.json())
      const person = await people.find(user.id)
      if (!person) throw new AppError('invalid_credentials', 'E-mail or password is wrong')
      isBy(person.id)
      setCookies(reply, response.headers)
      return { user: person }
    },
    { perMinute },
  )

  routes.bind(
    signOut,
    async ({ actor, request, reply }) => {
      const headers = new Headers({ cookie: request.headers.cookie ?? '' })
      const response = await accounts.api.signOut({ headers, asResponse: true })
      await identities.forget(actor.user)
      reply.removeHeader('set-cookie')
      setCookies(reply, response.headers)
      return { success: true as const }
    },
    { forAuditors: true },
  )

  routes.bind(getAuthSession, async ({ request }) => {
    const identity = await identities.of(request.headers)
    return identity ? { user: identity.user } : null
  })
}

function setCookies(reply: { header(name: string, value: string): unknown }, headers: Headers): void {
  for (const cookie of headers.getSetCookie()) reply.header('set-cookie', cookie)
}

/** The first administrator, made by whoever opens a fresh instance. */
export function bindSetup(routes: RouteBinder, people: People, perMinute: number): void {
  routes.bind(getSetup, async () => ({ needed: await people.isEmpty() }))

  routes.bind(
    setUp,
    async ({ body, isBy }) => {
      const user = (await people.isEmpty()) ? await people.createFirst(body) : undefined
      if (!user) throw new AppError('set_up_done', 'There is an administrator already')
      isBy(user.id)
      return user
    },
    { perMinute },
  )
}

/** The person themselves and their API keys. */
export function bindMe(routes: RouteBinder, people: People, apiKeys: ApiKeys, identities: Identities): void {
  routes.bind(getMe, async ({ actor }) => {
    const user = await people.find(actor.user)
    invariant(user, 'an identity has an account')
    return user
  })
  routes.bind(listApiKeys, async ({ actor }) => ({ api_keys: await apiKeys.list(actor.user) }))
  routes.bind(createApiKey, ({ actor, body }) => apiKeys.create(actor.user, body.name), { forAuditors: true })
  routes.bind(
    deleteApiKey,
    async ({ actor, params }) => {
      await apiKeys.remove(actor.user, params.id)
      await identities.forget(actor.user)
      return undefined
    },
    { forAuditors: true },
  )
}

/** The accounts of the instance, and the audit. */
export function bindUsers(
  routes: RouteBinder,
  people: People,
  identities: Identities,
  audit: AuditLog,
): void {
  routes.bind(listUsers, async () => ({ users: await people.list() }))

  routes.bind(createUser, async ({ body }) => {
    if (body.password !== undefined) return people.create({ ...body, password: body.password })
    const password = makePassword()
    return { ...(await people.create({ ...body, password })), password }
  })

  routes.bind(updateUser, async ({ params, body }) => {
    const user = await people.update(params.id, body)
    await identities.forget(user.id)
    return user
  })

  routes.bind(deleteUser, async ({ params }) => {
    await people.remove(params.id)
    await identities.forget(params.id)
    return undefined
  })

  routes.bind(listAudit, async ({ query }) => {
    if (query.cursor !== undefined && !/^\d{1,18}$/.test(query.cursor)) {
      throw new AppError('invalid_request', 'query.cursor: not a cursor')
    }
    const { entries, next } = await audit.page(query.limit, query.cursor)
    return { entries, ...(next === undefined ? {} : { next_cursor: next }) }
  })
}
