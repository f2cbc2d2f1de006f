import type {
  createSession,
  deleteSession,
  getSession,
  listModels,
  listSessions,
  revokeGrant,
  sendMessage,
  setDefaultModel,
  stopTurn,
} from '@althing/protocol/http/sessions'
import { queryOptions } from '@tanstack/react-query'
import { call } from './client.ts'

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: ({ signal }) =>
    call<typeof listSessions>('GET', '/api/sessions', { query: { limit: 50 }, signal }),
})

export const sessionQuery = (id: string) =>
  queryOptions({
    queryKey: ['session', id],
    queryFn: ({ signal }) => call<typeof getSession>('GET', '/api/sessions/{id}', { params: { id }, signal }),
  })

/** Why the last turn of a chat failed. Only the live stream writes it. */
export const turnFailureQuery = (id: string) =>
  queryOptions<string | null>({
    queryKey: ['turn-failure', id],
    queryFn: () => null,
    staleTime: Number.POSITIVE_INFINITY,
  })

export const modelsQuery = queryOptions({
  queryKey: ['models'],
  queryFn: ({ signal }) => call<typeof listModels>('GET', '/api/models', { signal }),
})

export const openSession = () =>
  call<typeof createSession>('POST', '/api/sessions', { body: { agent: 'main' } })

export const removeSession = (id: string) =>
  call<typeof deleteSession>('DELETE', '/api/sessions/{id}', { params: { id } })

export const postMessage = (id: string, content: string) =>
  call<typeof sendMessage>('POST', '/api/sessions/{id}/messages', { params: { id }, body: { content } })

export const stopSession = (id: string) =>
  call<typeof stopTurn>('POST', '/api/sessions/{id}/stop', { params: { id } })

export const removeGrant = (id: string, group: string) =>
  call<typeof revokeGrant>('DELETE', '/api/sessions/{id}/grants/{group}', { params: { id, group } })

export const chooseModel = (model: string) =>
  call<typeof setDefaultModel>('PUT', '/api/models/default', { body: { model } })
