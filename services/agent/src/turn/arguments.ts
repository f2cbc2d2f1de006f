import { Ajv, type ValidateFunction } from 'ajv'

const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false })
const MOST_FAULTS = 5

/** Why the arguments do not fit the schema, or undefined. A schema that cannot be compiled checks nothing. */
export function argumentsFault(schema: Readonly<Record<string, unknown>>, args: unknown): string | undefined {
  const validate = compile(schema)
  if (validate === undefined || validate(args)) return undefined
  return (validate.errors ?? [])
    .slice(0, MOST_FAULTS)
    .map(
      ({ instancePath, message, params }) =>
        `${instancePath.slice(1) || 'arguments'} ${message}${detail(params)}`,
    )
    .join('; ')
}

const compiled = new WeakMap<object, ValidateFunction | null>()

function compile(schema: Readonly<Record<string, unknown>>): ValidateFunction | undefined {
  const known = compiled.get(schema)
  if (known !== undefined) return known ?? undefined
  try {
    // Servers reuse one $id for many schemas; the drafts they name are not all known here.
    const { $schema: _draft, $id: _id, ...plain } = schema
    const validate = ajv.compile(plain)
    compiled.set(schema, validate)
    return validate
  } catch {
    compiled.set(schema, null)
    return undefined
  }
}

function detail(params: Record<string, unknown>): string {
  const { additionalProperty, allowedValues } = params
  if (typeof additionalProperty === 'string') return `: ${additionalProperty}`
  return Array.isArray(allowedValues) ? `: ${allowedValues.join(', ')}` : ''
}
