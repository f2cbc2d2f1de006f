import { selectClientAuthMethod } from '@modelcontextprotocol/client'
import type { GrantContent } from './grant.ts'
import { sdkClient } from './session.ts'
import type { WebFetch } from './web-fetch.ts'

/** Gives a grant back, where its server takes it. True when it did; never throws. */
export async function revoke(grant: GrantContent, fetch: WebFetch): Promise<boolean> {
  const { revocation_endpoint: url, token_endpoint_auth_methods_supported: methods = [] } = grant.server
  if (url === undefined) return false
  const { client_id, client_secret } = grant.client
  const headers: Record<string, string> = { 'content-type': 'application/x-www-form-urlencoded' }
  const form = new URLSearchParams(
    grant.refreshToken === undefined
      ? { token: grant.accessToken, token_type_hint: 'access_token' }
      : { token: grant.refreshToken, token_type_hint: 'refresh_token' },
  )
  const method = selectClientAuthMethod(sdkClient(grant.client), methods)
  if (method === 'client_secret_basic' && client_secret !== undefined) {
    headers.authorization = `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}`
  } else {
    form.set('client_id', client_id)
    if (method === 'client_secret_post' && client_secret !== undefined)
      form.set('client_secret', client_secret)
  }
  const answer = await fetch(url, { method: 'POST', headers, body: form.toString() }).catch(() => undefined)
  return answer?.ok === true
}
