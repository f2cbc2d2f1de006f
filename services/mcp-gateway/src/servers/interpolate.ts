import { AppError } from '@althing/protocol/errors'

const PLACE = /\$(\$\{)|\$\{([^}]*)\}/g
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/

/** Stands for whose connection it is, where everybody has one of their own. */
export const USER_ID = 'user.id'

export type Variables = ReadonlyMap<string, string>

/**
 * Fills `${NAME}` from the variables; `$${` stands for `${`. A value is never looked into again. Throws
 * `variable_missing` that names the field and the variable, never a value.
 */
export function interpolate(text: string, field: string, variables: Variables): string {
  return text.replaceAll(PLACE, (_match, literal: string | undefined, name: string | undefined) => {
    if (literal !== undefined) return literal
    if (name === undefined || (name !== USER_ID && !NAME.test(name))) {
      throw new AppError(
        'variable_missing',
        `${field}: "\${${name}}" is not a variable; defaults and expressions are not supported.`,
      )
    }
    const value = variables.get(name)
    if (value !== undefined) return value
    if (name === USER_ID) {
      throw new AppError(
        'variable_missing',
        `${field}: \${${USER_ID}} is for env, args, headers and url of servers with identity "per-user".`,
      )
    }
    throw new AppError(
      'variable_missing',
      `${field} uses \${${name}}, which is not set. Set it as a secret: PUT /api/secrets/${name}. ` +
        'An administrator may also allow a variable of the service by ALTHING_SERVER_VARIABLES.',
    )
  })
}

export function interpolateAll(
  values: Readonly<Record<string, string>>,
  field: string,
  variables: Variables,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([name, text]) => [name, interpolate(text, `${field}.${name}`, variables)]),
  )
}

/** The names of all variables that the texts use. */
export function variablesIn(texts: readonly string[]): Set<string> {
  const names = new Set<string>()
  for (const text of texts) {
    for (const [, , name] of text.matchAll(PLACE)) {
      if (name !== undefined && NAME.test(name)) names.add(name)
    }
  }
  return names
}
