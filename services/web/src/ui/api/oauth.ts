import type { startOauth } from '@althing/protocol/http/oauth'
import { call } from './client.ts'

/** Where the browser goes for a person's consent to a server. */
export const beginSignIn = (name: string) =>
  call<typeof startOauth>('POST', '/api/servers/{name}/oauth/start', { params: { name } })
