const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const PLAIN = /^[\t\x20-\x7e]*$/
const SENTINEL = /^=\?base64\?.*\?=$/s

interface Schema {
  readonly properties?: unknown
  readonly 'x-mcp-header'?: unknown
}

/**
 * The `Mcp-Param-*` headers of a `tools/call` (2026-07-28 over HTTP): arguments whose schema names a header with
 * `x-mcp-header`, so that proxies can route without reading bodies. Values that are no plain text go as base64.
 */
export function paramHeaders(schema: unknown, args: unknown): Record<string, string> {
  const headers: Record<string, string> = {}
  collect(schema, args, headers)
  return headers
}

function collect(schema: unknown, value: unknown, headers: Record<string, string>): void {
  const { properties } = (schema ?? {}) as Schema
  if (typeof properties !== 'object' || properties === null || typeof value !== 'object' || value === null)
    return
  for (const [key, child] of Object.entries(properties)) {
    if (!Object.hasOwn(value, key)) continue
    const member = (value as Record<string, unknown>)[key]
    const name = (child as Schema | null)?.['x-mcp-header']
    const text = plainText(member)
    if (typeof name === 'string' && TOKEN.test(name) && text !== undefined)
      headers[`Mcp-Param-${name}`] = encoded(text)
    collect(child, member, headers)
  }
}

function plainText(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value === 'boolean') return String(value)
  return Number.isSafeInteger(value) ||
    (typeof value === 'number' && !Number.isInteger(value) && Number.isFinite(value))
    ? String(value)
    : undefined
}

function encoded(text: string): string {
  const safe = text !== '' && PLAIN.test(text) && text === text.trim() && !SENTINEL.test(text)
  return safe ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`
}

/** Why a tool's header declarations break the rules, or undefined: such a tool may not be offered over HTTP. */
export function headerFault(schema: unknown): string | undefined {
  return faultAt(schema, true, true, new Set(), 0)
}

const ELSEWHERE = [
  'items',
  'prefixItems',
  'contains',
  'additionalProperties',
  'unevaluatedProperties',
  'unevaluatedItems',
  'propertyNames',
  'oneOf',
  'anyOf',
  'allOf',
  'not',
  'if',
  'then',
  'else',
]
const ELSEWHERE_BY_NAME = ['patternProperties', 'dependentSchemas', '$defs', 'definitions']
const DEEPEST = 64

function faultAt(
  node: unknown,
  reachable: boolean,
  root: boolean,
  seen: Set<string>,
  depth: number,
): string | undefined {
  if (node === null || typeof node !== 'object' || depth > DEEPEST) return undefined
  const schema = node as Record<string, unknown>
  if ('x-mcp-header' in schema) {
    const fault = declarationFault(schema, reachable && !root, seen)
    if (fault) return fault
  }
  const members = (value: unknown) =>
    value !== null && typeof value === 'object' ? Object.values(value) : []
  for (const child of members(schema.properties)) {
    const fault = faultAt(child, reachable, false, seen, depth + 1)
    if (fault) return fault
  }
  const others = [
    ...ELSEWHERE.flatMap((key) => (Array.isArray(schema[key]) ? schema[key] : [schema[key]])),
    ...ELSEWHERE_BY_NAME.flatMap((key) => members(schema[key])),
  ]
  for (const child of others) {
    const fault = faultAt(child, false, false, seen, depth + 1)
    if (fault) return fault
  }
  return undefined
}

function declarationFault(
  schema: Record<string, unknown>,
  allowedHere: boolean,
  seen: Set<string>,
): string | undefined {
  const name = schema['x-mcp-header']
  if (!allowedHere) return 'x-mcp-header stands where it is not allowed'
  if (typeof name !== 'string' || !TOKEN.test(name)) return 'x-mcp-header is not a header name'
  if (!['string', 'integer', 'boolean'].includes(String(schema.type)))
    return `x-mcp-header "${name}" is on a value that is no string, integer or boolean`
  const lower = name.toLowerCase()
  if (seen.has(lower)) return `x-mcp-header "${name}" is there twice`
  seen.add(lower)
  return undefined
}
