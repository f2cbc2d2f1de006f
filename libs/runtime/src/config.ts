import { readFileSync } from 'node:fs'
import * as z from 'zod'

/** A value that must not be printed. `reveal()` is the only way to it. */
export class Secret {
  readonly #value: string

  constructor(value: string) {
    this.#value = value
  }

  reveal(): string {
    return this.#value
  }

  toString(): string {
    return '***'
  }

  toJSON(): string {
    return '***'
  }

  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return 'Secret(***)'
  }
}

export const SecretText = z
  .string()
  .min(1)
  .transform((text) => new Secret(text))

/** Milliseconds, given as text in the environment. */
export const Milliseconds = z.coerce.number().int().min(1)

/** A list in the environment, separated by commas. */
export const Names = z.string().transform((text) =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== ''),
)

/** What the deployment got wrong, in words an operator can act on. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/**
 * The service's configuration from its environment. `NAME_FILE` may stand for `NAME`: the file's content,
 * without a final line break, is the value. An empty value counts as not given.
 * Throws a ConfigError that names every variable at fault.
 */
export function readConfig<S extends z.ZodObject>(
  schema: S,
  env: Readonly<Record<string, string | undefined>> = process.env,
): z.infer<S> {
  const given: Record<string, string> = {}
  for (const name of Object.keys(schema.shape)) {
    const value = env[name] || fromFile(name, env[`${name}_FILE`])
    if (value) given[name] = value
  }
  const parsed = schema.safeParse(given)
  if (parsed.success) return parsed.data
  const faults = parsed.error.issues.map((issue) => {
    const name = issue.path.join('.')
    return name in given ? `${name}: ${issue.message}` : `${name} is not set`
  })
  throw new ConfigError(`The environment is not complete: ${faults.join('; ')}.`)
}

function fromFile(name: string, path: string | undefined): string | undefined {
  if (!path) return undefined
  try {
    return readFileSync(path, 'utf8').replace(/\r?\n$/, '')
  } catch (cause) {
    throw new ConfigError(`${name}_FILE names ${path}, which cannot be read.`, { cause })
  }
}

/** The process variables that an administrator lets servers use as `${VAR}`. */
export function pickVariables(
  names: readonly string[],
  env: Readonly<Record<string, string | undefined>> = process.env,
): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const name of names) {
    const value = env[name]
    if (value !== undefined) found.set(name, value)
  }
  return found
}

/** What every service is told. */
export const ServiceConfig = z.object({
  DATABASE_URL: z.string().min(1),
  DATABASE_PASSWORD: SecretText.optional(),
  NATS_URL: z.string().min(1),
  NATS_USER: z.string().min(1),
  NATS_PASSWORD: SecretText,
  HEALTH_PORT: z.coerce.number().int().min(0).max(65_535).default(9090),
  HEALTH_HOST: z.string().default('127.0.0.1'),
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error']).default('info'),
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url().optional(),
  BUS_HEARTBEAT_MS: Milliseconds.default(2000),
})
export type ServiceConfig = z.infer<typeof ServiceConfig>

/** What a service is told that keeps something sealed. */
export const SealingConfig = ServiceConfig.extend({
  /** 32 bytes as base64: what is stored sealed is sealed with it. */
  ALTHING_MASTER_KEY: SecretText,
  /** Former master keys, comma separated: they still open what they sealed. */
  ALTHING_OLD_MASTER_KEYS: Names.transform((keys) => keys.map((key) => new Secret(key))).default([]),
})
export type SealingConfig = z.infer<typeof SealingConfig>
