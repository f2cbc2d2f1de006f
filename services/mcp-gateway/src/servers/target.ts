import type { Target } from '@althing/mcp-client/target'
import type { AddressPolicy } from '@althing/mcp-client/transport/address-guard'
import { AppError } from '@althing/protocol/errors'
import type { Registration } from '@althing/protocol/model/server'
import { disguisesOf } from '../secrets/disguises.ts'
import { interpolate, interpolateAll, USER_ID, type Variables, variablesIn } from './interpolate.ts'

/** What every child process gets beside its own variables, and nothing else of this process. */
export interface BaseEnvironment {
  readonly PATH: string
  readonly HOME: string
  readonly LANG: string
}

/** The variables that a registration uses, wherever they may stand. */
export function namesIn(registration: Registration): Set<string> {
  return variablesIn(
    registration.transport === 'stdio'
      ? [...(registration.args ?? []), ...Object.values(registration.env ?? {})]
      : [registration.url, registration.api_key ?? '', ...Object.values(registration.headers ?? {})],
  )
}

/**
 * Where a registration leads, with its variables filled in. Throws `variable_missing`, or `invalid_request` for an
 * address that is none. `masked` are the values that must not appear in a log.
 */
export function targetOf(
  registration: Registration,
  variables: Variables,
  base: BaseEnvironment,
  policy: AddressPolicy,
): { target: Target; masked: string[] } {
  const secret = [...variables].flatMap(([name, value]) => (name === USER_ID ? [] : disguisesOf(value)))
  if (registration.transport === 'stdio') {
    const env = interpolateAll(registration.env ?? {}, 'env', variables)
    const args = (registration.args ?? []).map((text, index) =>
      interpolate(text, `args[${index}]`, variables),
    )
    const path = env.PATH === undefined ? base.PATH : `${env.PATH}:${base.PATH}`
    const target: Target = {
      kind: 'stdio',
      command: registration.command,
      args,
      env: { ...base, ...env, PATH: path },
      ...(registration.cwd === undefined ? {} : { cwd: registration.cwd }),
    }
    return {
      target,
      masked: maskable([...Object.values(registration.env ?? {}), ...Object.values(env)]).concat(secret),
    }
  }
  const headers = interpolateAll(registration.headers ?? {}, 'headers', variables)
  const key =
    registration.api_key === undefined
      ? undefined
      : interpolate(registration.api_key, 'api_key', withoutIdentity(variables))
  mustBeHeaders(key === undefined ? headers : { ...headers, api_key: key })
  const url = readUrl(interpolate(registration.url, 'url', variables))
  const target: Target = {
    kind: 'http',
    url,
    headers:
      key === undefined ? headers : { ...headers, authorization: `Bearer ${key.replace(/^Bearer\s+/i, '')}` },
    allowSse: registration.transport === 'sse',
    policy,
  }
  return {
    target,
    masked: maskable([
      ...Object.values(headers),
      ...(key === undefined ? [] : [key]),
      ...url.searchParams.values(),
    ]).concat(secret),
  }
}

function withoutIdentity(variables: Variables): Variables {
  return new Map([...variables].filter(([name]) => name !== USER_ID))
}

/** Checked here, because whoever sends them would show the value in its complaint. */
function mustBeHeaders(headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) {
    if (/[\r\n\0]/.test(value))
      throw new AppError('invalid_request', `headers.${name}: a header value holds no line break`)
  }
}

function readUrl(text: string): URL {
  const url = URL.parse(text)
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new AppError('invalid_request', 'url: give an http:// or https:// address')
  }
  if (url.username !== '' || url.password !== '') {
    throw new AppError(
      'invalid_request',
      'url: give credentials as api_key or headers, not inside the address',
    )
  }
  return url
}

/** Short values would mask half of every line. */
function maskable(values: readonly string[]): string[] {
  return [...new Set(values)].filter((value) => value.length >= 6)
}
