import type { Target } from '@althing/mcp-client/target'
import type { AddressPolicy } from '@althing/mcp-client/transport/address-guard'
import { AppError } from '@althing/protocol/errors'
import type { Registration } from '@althing/protocol/model/server'
import { interpolate, interpolateAll, type Variables } from './interpolate.ts'

/** What every child process gets beside its own variables, and nothing else of this process. */
export interface BaseEnvironment {
  readonly PATH: string
  readonly HOME: string
  readonly LANG: string
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
      masked: maskable([
        ...Object.values(registration.env ?? {}),
        ...Object.values(env),
        ...variables.values(),
      ]),
    }
  }
  const headers = interpolateAll(registration.headers ?? {}, 'headers', variables)
  const key =
    registration.api_key === undefined ? undefined : interpolate(registration.api_key, 'api_key', variables)
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
    ]),
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
