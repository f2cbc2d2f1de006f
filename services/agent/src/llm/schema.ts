import { inlined } from './inline.ts'

type Schema = Record<string, unknown>

/**
 * A tool's schema in the form that model providers accept: an object at the top. Alternatives at the top are laid
 * into one object whose members are all optional, and named in its description; the server checks the rest.
 */
export function providerSchema(schema: Readonly<Schema>): Schema {
  const whole = inlined(schema)
  if (whole === undefined)
    return { type: 'object', properties: {}, description: 'The schema is too large to show.' }
  return listedOnly(merged(relaxed(whole)))
}

/** Providers refuse a required member that has no schema; the server asks for it itself. */
function listedOnly(schema: Schema): Schema {
  const { required, ...rest } = schema
  if (required === undefined) return schema
  const listed = names(required).filter((name) => Object.hasOwn(asObject(rest.properties), name))
  return listed.length === 0 ? rest : { ...rest, required: listed }
}

/** Without the forms of older drafts that newer validators refuse: `exclusiveMinimum: true` and `required: true`. */
function relaxed(node: unknown): Schema {
  const visit = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(visit)
    if (typeof value !== 'object' || value === null) return value
    const kept = Object.entries(value).filter(
      ([key, one]) => !(OLD_FORMS.has(key) && typeof one === 'boolean'),
    )
    return Object.fromEntries(
      kept.map(([key, one]) => {
        if (DATA.has(key)) return [key, one]
        return [key, key === 'properties' ? eachOf(one, visit) : visit(one)]
      }),
    )
  }
  return visit(node) as Schema
}

/** Members of `properties` may be called like keywords. */
function eachOf(properties: unknown, visit: (value: unknown) => unknown): unknown {
  if (typeof properties !== 'object' || properties === null) return properties
  return Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, visit(value)]))
}

/** What stands under these is data. */
const DATA = new Set(['enum', 'const', 'default', 'examples'])
const OLD_FORMS = new Set(['exclusiveMinimum', 'exclusiveMaximum', 'required'])

function merged(schema: Schema): Schema {
  const { anyOf, oneOf, allOf, $schema: _draft, ...rest } = schema
  const all = asSchemas(allOf)
  const either = [...asSchemas(anyOf), ...asSchemas(oneOf)]
  if (all.length + either.length === 0)
    return { ...rest, type: 'object', properties: asObject(rest.properties) }
  const properties = Object.assign(
    {},
    ...[...either, ...all].map((part) => asObject(part.properties)),
    asObject(rest.properties),
  )
  const required = [...new Set([...names(rest.required), ...all.flatMap((part) => names(part.required))])]
  const groups = either.map((part) => names(part.required).join(' + ')).filter((group) => group !== '')
  const hint = groups.length === 0 ? '' : `Give one of: ${groups.join('; ')}.`
  const description = [rest.description, hint]
    .filter((part) => typeof part === 'string' && part !== '')
    .join(' ')
  return {
    ...rest,
    type: 'object',
    properties,
    ...(required.length === 0 ? {} : { required }),
    ...(description === '' ? {} : { description }),
  }
}

function asSchemas(value: unknown): Schema[] {
  return Array.isArray(value) ? value.filter((part) => typeof part === 'object' && part !== null) : []
}

function asObject(value: unknown): Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Schema) : {}
}

function names(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((name) => typeof name === 'string') : []
}
