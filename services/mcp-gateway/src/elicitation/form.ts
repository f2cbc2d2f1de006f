import { AppError } from '@althing/protocol/errors'
import { Ajv } from 'ajv'

type Json = Record<string, unknown>

/** What a server asks a person, as a card can show it. */
export interface Question {
  readonly mode: 'form' | 'url'
  readonly message: string
  /** An object schema of plain fields; no properties at all: a confirmation. */
  readonly schema: Json
  readonly sensitive: readonly string[]
  readonly url?: string
  readonly unsupported?: readonly string[]
}

const LONGEST_MESSAGE = 10_000
const MOST_FIELDS = 500
const LARGEST_SCHEMA = 256 * 1024
const SENSITIVE_NAME = /password|passphrase|secret|token/i
const PLAIN_TYPES = new Set(['string', 'number', 'integer', 'boolean'])

/** Reads the parameters of `elicitation/create`, in the words of either era. Throws `invalid_request`. */
export function readQuestion(params: Json): Question {
  const message = typeof params.message === 'string' ? params.message.slice(0, LONGEST_MESSAGE) : ''
  if (params.mode === 'url')
    return { mode: 'url', message, schema: {}, sensitive: [], url: readUrl(params.url) }
  const given = params.requestedSchema
  const schema = isObject(given) ? given : {}
  if (JSON.stringify(schema).length > LARGEST_SCHEMA) throw refused('its form is too large')
  const fields = Object.entries(isObject(schema.properties) ? schema.properties : {})
  if (fields.length > MOST_FIELDS) throw refused(`its form has more than ${MOST_FIELDS} fields`)
  const inlined = fields.map(([name, field]) => [name, followed(field, schema)] as const)
  const unsupported = inlined.filter(([, field]) => !isShowable(field)).map(([name]) => name)
  const required = Array.isArray(schema.required)
    ? schema.required.filter((name) => typeof name === 'string')
    : []
  return {
    mode: 'form',
    message,
    schema: { type: 'object', properties: Object.fromEntries(inlined), required },
    sensitive: inlined.filter(([name, field]) => isSensitive(name, field)).map(([name]) => name),
    ...(unsupported.length > 0 ? { unsupported } : {}),
  }
}

/** Only what a person can open and judge: no scripts, no files. */
function readUrl(value: unknown): string {
  const url = typeof value === 'string' ? URL.parse(value) : null
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    throw refused('its address is not a web address')
  return url.href
}

/** A field with its one local reference followed; anything remote stays what it is, and cannot be shown. */
function followed(field: unknown, root: Json): Json {
  if (!isObject(field)) return {}
  const { $ref: ref, ...rest } = field
  const name = typeof ref === 'string' ? /^#\/(?:\$defs|definitions)\/([^/]+)$/.exec(ref)?.[1] : undefined
  if (name === undefined) return field
  const places = [root.$defs, root.definitions].filter(isObject)
  const target = places.map((place) => place[name]).find(isObject)
  return target === undefined ? field : { ...target, ...rest }
}

function isShowable(field: Json): boolean {
  if (typeof field.$ref === 'string') return false
  if (choices(field) !== undefined) return true
  if (field.type === 'array') return isObject(field.items) && choices(field.items) !== undefined
  return PLAIN_TYPES.has(String(field.type))
}

/** The values to choose from: `enum`, or `oneOf` and `anyOf` of titled constants. */
function choices(field: Json): unknown[] | undefined {
  if (Array.isArray(field.enum)) return field.enum
  const titled = Array.isArray(field.oneOf)
    ? field.oneOf
    : Array.isArray(field.anyOf)
      ? field.anyOf
      : undefined
  if (titled === undefined || !titled.every((one) => isObject(one) && 'const' in one)) return undefined
  return titled.map((one) => (one as Json).const)
}

function isSensitive(name: string, field: Json): boolean {
  return field.format === 'password' || field.writeOnly === true || SENSITIVE_NAME.test(name)
}

const ajv = new Ajv({ strict: false, validateFormats: false, coerceTypes: false })

/** Checks an answer before it goes to the server. Throws `invalid_request` that names the field, never a value. */
export function mustFit(content: unknown, { schema, mode }: Question): Json {
  if (mode === 'url') return {}
  if (!isObject(content))
    throw new AppError('invalid_request', 'content: give an object with a member for each field')
  const known = isObject(schema.properties) ? schema.properties : {}
  const unknown = Object.keys(content).find((name) => !Object.hasOwn(known, name))
  if (unknown !== undefined)
    throw new AppError('invalid_request', `content: the form has no field "${unknown}"`)
  const validate = compiled(schema)
  if (validate === undefined || validate(content)) return content
  const [fault] = validate.errors ?? []
  const missing = fault?.params.missingProperty
  const field = typeof missing === 'string' ? missing : (fault?.instancePath.slice(1) ?? '')
  throw new AppError('invalid_request', `content.${field}: ${fault?.message ?? 'does not fit'}`)
}

function compiled(schema: Json) {
  try {
    // Patterns of a server run on a person's answer in this process: they are the server's own to check.
    return ajv.compile(
      JSON.parse(JSON.stringify(schema, (key, value) => (key === 'pattern' ? undefined : value))),
    )
  } catch {
    return undefined
  }
}

function refused(why: string): AppError {
  return new AppError('invalid_request', `The server's question cannot be shown: ${why}.`)
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
