/** What a server's refusal says about getting in. */
export interface Challenge {
  /** Where the server says its metadata is. */
  readonly resourceMetadata?: string
  /** Space-separated. */
  readonly scope?: string
  readonly error?: string
}

const PARAMETER = /([A-Za-z0-9_-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))/g
const HTTP_URL = /^https?:$/
const LONGEST = 2048

/**
 * Reads a `WWW-Authenticate` header, however it is written: any case, with or without quotes, several challenges in
 * one value or in several. The first that names a parameter wins. Never throws; what is not understood is left out.
 */
export function readChallenge(header: string | null, base: URL): Challenge {
  const found = new Map<string, string>()
  for (const [, name = '', quoted, plain] of (header ?? '').matchAll(PARAMETER)) {
    const key = name.toLowerCase()
    const value = quoted?.replaceAll(/\\(.)/g, '$1') ?? plain ?? ''
    if (value !== '' && value.length <= LONGEST && !found.has(key)) found.set(key, value)
  }
  const scope = found.get('scope')
  const error = found.get('error')
  const address = found.get('resource_metadata')
  const metadata = address === undefined ? null : URL.parse(address, base.href)
  return {
    ...(metadata && HTTP_URL.test(metadata.protocol) ? { resourceMetadata: metadata.href } : {}),
    ...(scope === undefined ? {} : { scope }),
    ...(error === undefined ? {} : { error }),
  }
}
