import { createHash } from 'node:crypto'
import type { Tool } from '@althing/protocol/model/tool'

/** What becomes of a definition that is not the accepted one: held back, used with a mark, or used. */
export type PinPolicy = 'hold' | 'warn' | 'accept'

type Json = Readonly<Record<string, unknown>>

const MOST_LINES = 200
const LONGEST_VALUE = 300

/** Everything of a tool that a model or a person acts on. */
function essence({ name, title, description, input_schema, output_schema, annotations }: Tool): Json {
  return { name, title, description, input_schema, output_schema, annotations }
}

/** The identity of a definition; the order of keys does not matter. */
export function pinHash(tool: Tool): string {
  return createHash('sha256')
    .update(JSON.stringify(sorted(essence(tool))))
    .digest('hex')
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sorted((value as Json)[key])]),
  )
}

/** What changed from one definition to another, a line for each: `-` was, `+` is. */
export function pinDiff(was: Tool, is: Tool): string {
  const lines = [
    ...textDiff('title', was.title ?? '', is.title ?? ''),
    ...textDiff('description', was.description, is.description),
    ...schemaDiff('input_schema', was.input_schema, is.input_schema),
    ...schemaDiff('output_schema', was.output_schema, is.output_schema),
    ...schemaDiff('annotations', was.annotations, is.annotations),
  ]
  const shown = lines.slice(0, MOST_LINES)
  if (lines.length > shown.length) shown.push(`… ${lines.length - shown.length} more`)
  return shown.join('\n')
}

function textDiff(field: string, was: string, is: string): string[] {
  if (was === is) return []
  const before = was.split('\n')
  const after = is.split('\n')
  return [
    ...before.filter((line) => !after.includes(line)).map((line) => `- ${field}: ${line}`),
    ...after.filter((line) => !before.includes(line)).map((line) => `+ ${field}: ${line}`),
  ]
}

function schemaDiff(field: string, was: unknown, is: unknown): string[] {
  const before = flattened(was, field)
  const after = flattened(is, field)
  return [...new Set([...before.keys(), ...after.keys()])].sort().flatMap((path) => {
    const [old, now] = [before.get(path), after.get(path)]
    if (old === now) return []
    return [
      ...(old === undefined ? [] : [`- ${path}: ${old}`]),
      ...(now === undefined ? [] : [`+ ${path}: ${now}`]),
    ]
  })
}

/** Every leaf by its path. */
function flattened(value: unknown, path: string, into = new Map<string, string>()): Map<string, string> {
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) {
    if (value !== undefined) into.set(path, JSON.stringify(value).slice(0, LONGEST_VALUE))
    return into
  }
  for (const [key, member] of Object.entries(value)) flattened(member, `${path}.${key}`, into)
  return into
}
