import type { Ask } from '@althing/mcp-client/ask'

type Json = Readonly<Record<string, unknown>>

/** Accepts a form with its defaults, or with the plainest values that it takes. */
export async function acceptDefaults({ method, params }: Ask): Promise<unknown> {
  if (method !== 'elicitation/create') throw new Error(`nobody answers ${method}`)
  return { action: 'accept', content: plainValues((params.requestedSchema ?? {}) as Json) }
}

/** A value for every property of a schema. */
export function plainValues({ properties }: Json): Record<string, unknown> {
  const all = Object.entries((properties ?? {}) as Record<string, Json>)
  return Object.fromEntries(all.map(([name, schema]) => [name, plainValue(schema)]))
}

function plainValue(schema: Json): unknown {
  if ('default' in schema) return schema.default
  if (Array.isArray(schema.enum)) return schema.enum[0]
  switch (schema.type) {
    case 'number':
    case 'integer':
      return 1
    case 'boolean':
      return true
    case 'array':
      return []
    case 'object':
      return {}
    default:
      return 'text'
  }
}
