import * as gateway from '@althing/protocol/bus/gateway-oauth'
import { AppError, ERRORS } from '@althing/protocol/errors'
import * as http from '@althing/protocol/http/oauth'
import type { Bus } from '@althing/runtime/bus/bus'
import { asAppError } from '@althing/runtime/errors'
import type { FastifyRequest } from 'fastify'
import type { Identities } from '../auth/identities.ts'
import type { RouteBinder } from './bind.ts'

/** Several documents are looked up at a stranger's, one after the other. */
const LOOK_UP = { timeoutMs: 90_000 }
/** The server is connected before the answer. */
const CONNECT = { timeoutMs: 150_000 }
const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/

interface OAuthDeps {
  readonly bus: Bus
  readonly identities: Identities
  /** The origin that people type, when it is configured. */
  readonly publicUrl: string | undefined
  readonly trusted: ReadonlySet<string>
}

export function bindOauth(routes: RouteBinder, { bus, identities, publicUrl, trusted }: OAuthDeps): void {
  routes.bind(http.startOauth, ({ actor, params, request }) => {
    const base = publicUrl ?? addressedAs(request, trusted)
    return bus.call(
      gateway.startOauth,
      {
        actor,
        name: params.name,
        redirect_url: `${base}${http.finishOauth.path}`,
        ...(base.startsWith('https:') ? { client_metadata_url: `${base}${http.getOauthClient.path}` } : {}),
      },
      LOOK_UP,
    )
  })

  routes.bind(http.forgetOauth, async ({ actor, params }) => {
    await bus.call(gateway.forgetOauth, { actor, name: params.name }, CONNECT)
    return undefined
  })

  routes.bindRaw(http.finishOauth, async ({ query, request, reply }) => {
    const { state, ...answer } = query
    const identity = await identities.of(request.headers)
    const person = identity?.user.id
    try {
      const input = { state, answer, ...(person === undefined ? {} : { person }) }
      const { name } = await bus.call(gateway.finishOauth, input, CONNECT)
      return await reply.redirect(`/servers/${name}`, 303)
    } catch (thrown) {
      const error = asAppError(thrown)
      const text = error.code === 'internal' ? ERRORS.internal.title : error.message
      return await reply.code(ERRORS[error.code].status).type('text/html; charset=utf-8').send(page(text))
    }
  })

  routes.bind(http.getOauthClient, async ({ request }) => {
    const base = publicUrl ?? addressedAs(request, trusted)
    return {
      client_id: `${base}${http.getOauthClient.path}`,
      client_name: 'Althing',
      redirect_uris: [`${base}${http.finishOauth.path}`],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      application_type: base.startsWith('https:') ? 'web' : 'native',
      token_endpoint_auth_method: 'none',
    }
  })
}

/** A browser on this machine, or one that comes through a trusted origin, is sent back where it came from. */
function addressedAs({ headers }: FastifyRequest, trusted: ReadonlySet<string>): string {
  if (headers.origin !== undefined && trusted.has(headers.origin)) return headers.origin
  if (headers.host !== undefined && LOOPBACK.test(headers.host)) return `http://${headers.host}`
  throw new AppError('invalid_request', 'Set ALTHING_PUBLIC_URL: sign-ins must know where to come back to.')
}

/** Stands by itself: whoever comes back from elsewhere may be signed in nowhere here. */
function page(text: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Sign-in failed</title>
<h1>The sign-in did not succeed</h1>
<p>${escaped(text)}</p>
<p><a href="/servers">Back to the servers</a></p>
</html>
`
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
