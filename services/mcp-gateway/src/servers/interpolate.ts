import { AppError } from '@althing/protocol/errors'

const PLACE = /\$(\$\{)|\$\{([^}]*)\}/g
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/

export type Variables = ReadonlyMap<string, string>

/**
 * Fills `${NAME}` from the variables; `$${` stands for `${`. A value is never looked into again. Throws
 * `variable_missing` that names the field and the variable, never a value.
 */
export function interpolate(text: string, field: string, variables: Variables): string {
  return text.replaceAll(PLACE, (_match, literal: string | undefined, name: string | undefined) => {
    if (literal !== undefined) return literal
    if (name === undefined || !NAME.test(name)) {
      throw new AppError(
        'variable_missing',
        `${field}: "\${${name}}" is not a variable; defaults and expressions are not supported.`,
      )
    }
    const value = variables.get(name)
    if (value === undefined) {
      throw new AppError(
        'variable_missing',
        `${field} uses \${${name}}, which is not set. An administrator allows variables by ALTHING_SERVER_VARIABLES.`,
      )
    }
    return value
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
