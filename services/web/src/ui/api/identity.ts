import type {
  createApiKey,
  createUser,
  deleteApiKey,
  deleteUser,
  getMe,
  getSetup,
  listApiKeys,
  listUsers,
  setUp,
  updateUser,
} from '@althing/protocol/http/identity'
import type { Role } from '@althing/protocol/model/actor'
import { queryOptions } from '@tanstack/react-query'
import { addresses } from '../paths.ts'
import { ApiError, call, send } from './client.ts'

export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => call<typeof getMe>('GET', '/api/me', { signal }),
  staleTime: 5 * 60_000,
})

export const setUpQuery = queryOptions({
  queryKey: ['set-up'],
  queryFn: ({ signal }) => call<typeof getSetup>('GET', '/api/setup', { signal }),
  staleTime: 0,
})

export const apiKeysQuery = queryOptions({
  queryKey: ['api-keys'],
  queryFn: ({ signal }) => call<typeof listApiKeys>('GET', '/api/api-keys', { signal }),
})

export const usersQuery = queryOptions({
  queryKey: ['users'],
  queryFn: ({ signal }) => call<typeof listUsers>('GET', '/api/users', { signal }),
})

/** The accounts library answers 401 with a code of its own; here it can only mean wrong credentials. */
export async function signIn(email: string, password: string): Promise<void> {
  try {
    await send('POST', addresses.signIn, { email, password })
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) throw new ApiError('invalid_credentials', 401, '')
    throw error
  }
}

export async function signOut(): Promise<void> {
  await send('POST', addresses.signOut, {})
}

/** Creates the first administrator and signs them in. */
export async function createAdministrator(input: {
  name: string
  email: string
  password: string
}): Promise<void> {
  await call<typeof setUp>('POST', '/api/setup', { body: input })
  await signIn(input.email, input.password)
}

export const makeApiKey = (name: string) =>
  call<typeof createApiKey>('POST', '/api/api-keys', { body: { name } })

export const revokeApiKey = (id: string) =>
  call<typeof deleteApiKey>('DELETE', '/api/api-keys/{id}', { params: { id } })

export const addUser = (body: { email: string; name: string; role: Role; password?: string }) =>
  call<typeof createUser>('POST', '/api/users', { body })

export const changeRole = (id: string, role: Role) =>
  call<typeof updateUser>('PATCH', '/api/users/{id}', { params: { id }, body: { role } })

export const removeUser = (id: string) =>
  call<typeof deleteUser>('DELETE', '/api/users/{id}', { params: { id } })
