import * as z from 'zod'

type Json = Record<string, unknown>
type Io = 'input' | 'output'

const PLACE = '#/components/schemas/'

/**
 * Collects the schemas that a document refers to. A schema with an id becomes a component of that name; where what
 * is sent differs from what is received, the former is named `<id>Input`.
 */
export class SchemaComponents {
  readonly #found = new Map<string, Json>()

  /** The JSON Schema of `schema`, with references to components. */
  of(schema: z.ZodType, io: Io = 'output'): Json {
    const output = convert(schema, 'output')
    if (io === 'output') {
      for (const [id, body] of Object.entries(output.parts)) this.#found.set(id, point(body, new Set()))
      return point(output.root, new Set())
    }
    const input = convert(schema, 'input')
    const differing = differingIds(input.parts, output.parts)
    for (const [id, body] of Object.entries(input.parts)) {
      this.#found.set(differing.has(id) ? `${id}Input` : id, point(body, differing))
    }
    return point(input.root, differing)
  }

  /** All components by name, sorted. */
  get schemas(): Record<string, Json> {
    return Object.fromEntries([...this.#found].sort(([a], [b]) => (a < b ? -1 : 1)))
  }
}

function convert(schema: z.ZodType, io: Io): { root: Json; parts: Record<string, Json> } {
  // Wrapped, so that a schema that has an id itself becomes a part like any other.
  const document = z.toJSONSchema(z.object({ root: schema }), { io, unrepresentable: 'any' })
  const root = document.properties?.root
  return {
    root: typeof root === 'object' ? (root as Json) : {},
    parts: (document.$defs ?? {}) as Record<string, Json>,
  }
}

/** The ids whose input differs from their output, themselves or in a part. */
function differingIds(input: Record<string, Json>, output: Record<string, Json>): Set<string> {
  const texts = new Map(Object.entries(input).map(([id, body]) => [id, JSON.stringify(body)]))
  const differing = new Set(
    [...texts].filter(([id, text]) => text !== JSON.stringify(output[id])).map(([id]) => id),
  )
  for (let before = -1; before !== differing.size; ) {
    before = differing.size
    for (const [id, text] of texts) {
      if ([...differing].some((other) => text.includes(`"#/$defs/${other}"`))) differing.add(id)
    }
  }
  return differing
}

/** Turns references to definitions into references to components; ids say their name twice and are left out. */
function point(body: Json, renamed: ReadonlySet<string>): Json {
  const visit = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(visit)
    if (value === null || typeof value !== 'object') return value
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => {
        if (key !== '$ref' || typeof member !== 'string') return [key, visit(member)]
        const id = member.replace('#/$defs/', '')
        return [key, `${PLACE}${id}${renamed.has(id) ? 'Input' : ''}`]
      }),
    )
  }
  const { id: _id, ...rest } = body
  return visit(typeof _id === 'string' ? rest : body) as Json
}
