type Schema = Record<string, unknown>

/** A definition is laid in at most this deep in itself, and a whole schema grows to this many nodes. */
const DEEPEST = 32
const MOST_NODES = 5_000

/**
 * A schema without references: local ones are replaced by what they name; recursive ones, those that lead nowhere and
 * those to other documents, which are never fetched, by a schema that takes anything. Undefined: it grew too large.
 */
export function inlined(root: Readonly<Schema>): Schema | undefined {
  const loosened = JSON.stringify(root).includes('"$ref"')
  let nodes = 0
  const visit = (node: unknown, open: readonly string[], depth: number): unknown => {
    if (++nodes > MOST_NODES || depth > DEEPEST * 2) throw new TooLarge()
    if (Array.isArray(node)) return node.map((one) => visit(one, open, depth + 1))
    if (typeof node !== 'object' || node === null) return node
    const { $ref: ref, ...rest } = node as Schema
    if (typeof ref === 'string') {
      const target = open.includes(ref) || open.length >= DEEPEST ? undefined : resolve(root, ref)
      const laid = target === undefined ? {} : visit(target, [...open, ref], depth + 1)
      // What stands beside a reference only narrows it: leaving it out never refuses more.
      return typeof laid === 'object' && laid !== null ? { ...described(rest), ...laid } : {}
    }
    const shown = loosened ? loose(rest) : rest
    const kept = Object.entries(shown).filter(([key]) => !DROPPED.has(key))
    return Object.fromEntries(kept.map(([key, value]) => [key, member(key, value, open, depth)]))
  }
  /** Values are data, not schemas: what looks like a reference in them is none. */
  const member = (key: string, value: unknown, open: readonly string[], depth: number): unknown =>
    DATA.has(key) ? value : NAMED.has(key) ? each(value, open, depth) : visit(value, open, depth + 1)
  /** Names of members are the server's own, and may be called like keywords. */
  const each = (value: unknown, open: readonly string[], depth: number): unknown =>
    typeof value === 'object' && value !== null
      ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, visit(one, open, depth + 1)]))
      : value
  try {
    return visit(root, [], 0) as Schema
  } catch (error) {
    if (error instanceof TooLarge) return undefined
    throw error
  }
}

const DROPPED = new Set([
  '$defs',
  'definitions',
  '$schema',
  '$id',
  'id',
  '$anchor',
  '$comment',
  '$dynamicRef',
  '$dynamicAnchor',
])
const NAMED = new Set(['properties', 'patternProperties', 'dependentSchemas'])
const DATA = new Set(['enum', 'const', 'default', 'examples', 'required'])

/**
 * Where a part may be replaced by one that takes anything, nothing around it may turn that into a refusal: `not` and
 * `if` would, and so would one of several that must not match together.
 */
function loose(schema: Schema): Schema {
  const { oneOf, not: _not, if: _if, then: _then, else: _else, maxContains: _most, ...rest } = schema
  const { unevaluatedProperties: _properties, unevaluatedItems: _items, ...kept } = rest
  return oneOf === undefined || kept.anyOf !== undefined ? kept : { ...kept, anyOf: oneOf }
}

class TooLarge extends Error {}

function described({ title, description }: Schema): Schema {
  return {
    ...(typeof title === 'string' ? { title } : {}),
    ...(typeof description === 'string' ? { description } : {}),
  }
}

function resolve(root: Readonly<Schema>, ref: string): unknown {
  if (ref !== '#' && !ref.startsWith('#/')) return undefined
  let node: unknown = root
  for (const part of ref.split('/').slice(1)) {
    const name = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof node !== 'object' || node === null || !Object.hasOwn(node, name)) return undefined
    node = (node as Schema)[name]
  }
  return node
}
