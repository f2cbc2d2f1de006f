import type {
  acceptTool as acceptToolRoute,
  callTool,
  deleteServer,
  getServer,
  listCatalogue,
  listServers,
  listTools,
  registerServer,
  restartServer,
  testServer,
  updateServer,
} from '@althing/protocol/http/servers'
import type { JsonObject } from '@althing/protocol/model/json'
import type { Registration, RegistrationPatch } from '@althing/protocol/model/server'
import { queryOptions } from '@tanstack/react-query'
import { call } from './client.ts'

export const serversQuery = queryOptions({
  queryKey: ['servers'],
  queryFn: ({ signal }) => call<typeof listServers>('GET', '/api/servers', { signal }),
})

export const serverQuery = (name: string) =>
  queryOptions({
    queryKey: ['server', name],
    queryFn: ({ signal }) =>
      call<typeof getServer>('GET', '/api/servers/{name}', { params: { name }, signal }),
  })

export const toolsQuery = (name: string) =>
  queryOptions({
    queryKey: ['server', name, 'tools'],
    queryFn: ({ signal }) =>
      call<typeof listTools>('GET', '/api/servers/{name}/tools', { params: { name }, signal }),
  })

export const catalogueQuery = queryOptions({
  queryKey: ['catalogue'],
  queryFn: ({ signal }) => call<typeof listCatalogue>('GET', '/api/catalogue', { signal }),
})

export const addServer = (body: Registration) => call<typeof registerServer>('POST', '/api/servers', { body })

export const tryServer = (body: Registration, signal?: AbortSignal) =>
  call<typeof testServer>('POST', '/api/servers/test', { body, signal })

export const changeServer = (name: string, body: RegistrationPatch) =>
  call<typeof updateServer>('PATCH', '/api/servers/{name}', { params: { name }, body })

export const removeServer = (name: string) =>
  call<typeof deleteServer>('DELETE', '/api/servers/{name}', { params: { name } })

export const reconnectServer = (name: string) =>
  call<typeof restartServer>('POST', '/api/servers/{name}/restart', { params: { name } })

/** Aborting the signal cancels the call on the server. */
export const runTool = (name: string, tool: string, args: JsonObject, signal: AbortSignal) =>
  call<typeof callTool>('POST', '/api/servers/{name}/tools/{tool}/call', {
    params: { name, tool },
    body: { arguments: args },
    signal,
  })

/** Accepts a changed tool, if the difference is still the one that was shown. */
export const acceptTool = (name: string, tool: string, diff: string) =>
  call<typeof acceptToolRoute>('POST', '/api/servers/{name}/tools/{tool}/accept', {
    params: { name, tool },
    body: { diff },
  })
