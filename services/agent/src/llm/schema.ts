type Schema = Record<string, unknown>

/**
 * A tool's schema in the form that model providers accept: an object at the top. Alternatives at the top are laid
 * into one object whose members are all optional, and named in its description; the server checks the rest.
 */
export function providerSchema(schema: Readonly<Schema>): Schema {
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
