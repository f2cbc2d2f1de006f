import { isDeepStrictEqual } from 'node:util'
import type { ArgumentCondition } from '@althing/protocol/model/approval'

/** Whether every condition holds of a call's arguments. */
export function conditionsHold(conditions: readonly ArgumentCondition[], args: unknown): boolean {
  return conditions.every((condition) => holds(condition, at(args, condition.path)))
}

function holds({ op, value }: ArgumentCondition, found: unknown): boolean {
  switch (op) {
    case 'equals':
      return isDeepStrictEqual(found, value)
    case 'not_equals':
      return !isDeepStrictEqual(found, value)
    case 'starts_with':
      return typeof found === 'string' && found.startsWith(String(value))
    case 'contains':
      return Array.isArray(found)
        ? found.some((one) => isDeepStrictEqual(one, value))
        : typeof found === 'string' && found.includes(String(value))
    case 'one_of':
      return Array.isArray(value) && value.some((one) => isDeepStrictEqual(one, found))
    case 'absent':
      return found === undefined
  }
}

/** The value that a JSON pointer (RFC 6901) names, or undefined. */
function at(value: unknown, pointer: string): unknown {
  let found = value
  for (const token of pointer.split('/').slice(1)) {
    if (found === null || typeof found !== 'object') return undefined
    const key = token.replaceAll('~1', '/').replaceAll('~0', '~')
    found = Object.hasOwn(found, key) ? (found as Record<string, unknown>)[key] : undefined
  }
  return found
}
