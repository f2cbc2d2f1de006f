import type { RawTool } from '@althing/mcp-client/tool-list'
import { Ajv, type ValidateFunction } from 'ajv'

const ajv = new Ajv({ strict: false, validateFormats: false })
const LARGEST_SCHEMA = 128 * 1024

/** Schemas of tools that are listed now; those that cannot be compiled check nothing. */
const compiled = new WeakMap<RawTool, ValidateFunction | null>()

/** How a structured result differs from what its tool promised, or undefined. Never a reason to refuse it. */
export function outputMismatch(tool: RawTool, value: unknown): string | undefined {
  if (tool.outputSchema === undefined) return undefined
  const validate = validatorOf(tool)
  if (validate === null || validate(value)) return undefined
  const [fault] = validate.errors ?? []
  return `The result does not fit the tool's output schema: ${fault?.instancePath || 'result'} ${fault?.message}.`
}

function validatorOf(tool: RawTool): ValidateFunction | null {
  const known = compiled.get(tool)
  if (known !== undefined) return known
  const made = compile(tool.outputSchema)
  compiled.set(tool, made)
  return made
}

function compile(schema: RawTool['outputSchema']): ValidateFunction | null {
  try {
    const { $schema: _draft, $id: _id, ...plain } = schema ?? {}
    const text = JSON.stringify(plain, (key, value) => (key === 'pattern' ? undefined : value))
    return text.length > LARGEST_SCHEMA ? null : ajv.compile(JSON.parse(text))
  } catch {
    return null
  }
}
