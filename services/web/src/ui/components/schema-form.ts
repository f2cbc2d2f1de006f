import type { JsonObject } from '@althing/protocol/model/json'

/** How one property of a tool's input is asked for. `json`: too rich for a plain control, typed as JSON. */
export type FieldKind = 'text' | 'secret' | 'number' | 'integer' | 'boolean' | 'choice' | 'choices' | 'json'

/** A value to choose and what it is called. */
export interface Choice {
  readonly value: string | number | boolean | null
  readonly label: string
}

export interface SchemaField {
  readonly name: string
  readonly label: string
  readonly kind: FieldKind
  readonly required: boolean
  readonly description: string
  /** `1 to 16`, `at least 3`; empty when there is nothing to say. */
  readonly range: string
  readonly choices: readonly Choice[]
  readonly minimum: number | undefined
  readonly maximum: number | undefined
  readonly fallback: unknown
}

/** What is typed so far: texts as they stand, also while they are not valid. Absent: left out of the arguments. */
export type Drafts = Readonly<Record<string, string>>

function record(value: unknown): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {}
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}

const PLAIN: ReadonlySet<unknown> = new Set(['string', 'number', 'boolean'])

function kindOf(name: string, schema: JsonObject): FieldKind {
  const { type, format, writeOnly } = schema
  if (choicesOf(schema) !== undefined) return 'choice'
  if (Array.isArray(schema.enum)) return 'json'
  if (type === 'array' && choicesOf(record(schema.items)) !== undefined) return 'choices'
  if (type === 'string')
    return format === 'password' || writeOnly === true || /password|passphrase|secret|token/i.test(name)
      ? 'secret'
      : 'text'
  if (type === 'number' || type === 'integer' || type === 'boolean') return type
  return 'json'
}

/** The choices of an `enum` (with the older `enumNames`), or of titled constants; undefined: it is no choice. */
function choicesOf(schema: JsonObject): Choice[] | undefined {
  const titled = [schema.oneOf, schema.anyOf].find(Array.isArray)?.map(record)
  const values = Array.isArray(schema.enum) ? schema.enum : titled?.map((one) => one.const)
  if (values === undefined || values.length === 0) return undefined
  if (!values.every((value) => value === null || PLAIN.has(typeof value))) return undefined
  const names = Array.isArray(schema.enumNames) ? schema.enumNames : titled?.map((one) => one.title)
  return values.map((value, index) => {
    const name: unknown = names?.[index]
    return { value: value as Choice['value'], label: typeof name === 'string' ? name : String(value) }
  })
}

function rangeOf(minimum: number | undefined, maximum: number | undefined): string {
  if (minimum !== undefined && maximum !== undefined) return `${minimum} to ${maximum}`
  if (minimum !== undefined) return `at least ${minimum}`
  return maximum === undefined ? '' : `at most ${maximum}`
}

/** The fields of an object schema, required ones first. Empty for a tool without arguments. */
export function fieldsOf(schema: JsonObject): SchemaField[] {
  const required = new Set(Array.isArray(schema.required) ? schema.required : [])
  return Object.entries(record(schema.properties))
    .map(([name, value]) => {
      const property = record(value)
      const minimum = numberOf(property.minimum)
      const maximum = numberOf(property.maximum)
      return {
        name,
        label: typeof property.title === 'string' ? property.title : name,
        kind: kindOf(name, property),
        required: required.has(name),
        description: typeof property.description === 'string' ? property.description : '',
        range: rangeOf(minimum, maximum),
        choices: choicesOf(property) ?? choicesOf(record(property.items)) ?? [],
        minimum,
        maximum,
        fallback: property.default,
      }
    })
    .sort((a, b) => Number(b.required) - Number(a.required))
}

/** The drafts that show these arguments. Members that are no field are kept apart by the caller. */
export function draftsOf(fields: readonly SchemaField[], args: JsonObject): Drafts {
  return Object.fromEntries(
    fields
      .filter(({ name }) => Object.hasOwn(args, name))
      .map((field) => [field.name, draftOf(field, args[field.name])]),
  )
}

function draftOf({ kind, choices }: SchemaField, value: unknown): string {
  const indexOf = (one: unknown) => choices.findIndex((choice) => choice.value === one)
  if (kind === 'choice') return String(indexOf(value))
  if (kind === 'choices') return JSON.stringify(Array.isArray(value) ? value.map(indexOf) : [])
  if (kind === 'json') return JSON.stringify(value, null, 2)
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** The arguments at the start: every default of the schema. */
export function defaultsOf(fields: readonly SchemaField[]): JsonObject {
  return Object.fromEntries(
    fields.filter(({ fallback }) => fallback !== undefined).map(({ name, fallback }) => [name, fallback]),
  )
}

export interface Read {
  readonly args: JsonObject
  /** By field name. */
  readonly errors: Readonly<Record<string, string>>
}

/** Reads the drafts into arguments. `rest` are members of the value that are no field; they pass through. */
export function readDrafts(fields: readonly SchemaField[], drafts: Drafts, rest: JsonObject = {}): Read {
  const args: Record<string, unknown> = { ...rest }
  const errors: Record<string, string> = {}
  for (const field of fields) {
    const draft = drafts[field.name]
    const left = draft === undefined || (draft === '' && !(field.kind === 'text' && field.required))
    if (left) {
      if (field.required) errors[field.name] = 'This is required.'
      continue
    }
    const value = readDraft(field, draft)
    if (value instanceof Invalid) errors[field.name] = value.reason
    else args[field.name] = value
  }
  return { args, errors }
}

class Invalid {
  readonly reason: string
  constructor(reason: string) {
    this.reason = reason
  }
}

function readDraft(field: SchemaField, draft: string): unknown {
  switch (field.kind) {
    case 'text':
    case 'secret':
      return draft
    case 'boolean':
      return draft === 'true'
    case 'choice': {
      const choice = field.choices[Number(draft)]
      return choice === undefined ? new Invalid('Choose one of the list.') : choice.value
    }
    case 'choices':
      return (JSON.parse(draft) as number[]).map((index) => field.choices[index]?.value)
    case 'json':
      try {
        return JSON.parse(draft) as unknown
      } catch {
        return new Invalid('This is not valid JSON.')
      }
    case 'number':
    case 'integer': {
      const value = Number(draft)
      if (draft.trim() === '' || !Number.isFinite(value)) return new Invalid('Give a number.')
      if (field.kind === 'integer' && !Number.isInteger(value)) return new Invalid('Give a whole number.')
      const low = field.minimum !== undefined && value < field.minimum
      const high = field.maximum !== undefined && value > field.maximum
      return low || high ? new Invalid(`Give ${field.range}.`) : value
    }
  }
}

/** The members of the value that no field shows. */
export function restOf(fields: readonly SchemaField[], args: JsonObject): JsonObject {
  const names = new Set(fields.map(({ name }) => name))
  return Object.fromEntries(Object.entries(args).filter(([name]) => !names.has(name)))
}

/** The arguments that are typed as JSON; undefined when it is no JSON object. */
export function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as JsonObject)
      : undefined
  } catch {
    return undefined
  }
}

/** The same call as a shell command; the key comes from the environment, so it lands in no history. */
export function curlOf(origin: string, server: string, tool: string, args: JsonObject): string {
  const address = `${origin}/api/servers/${encodeURIComponent(server)}/tools/${encodeURIComponent(tool)}/call`
  return [
    `curl -sS ${quote(address)}`,
    `-H "Authorization: Bearer $ALTHING_KEY"`,
    `-H 'Content-Type: application/json'`,
    `-d ${quote(JSON.stringify({ arguments: args }))}`,
  ].join(' \\\n  ')
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
