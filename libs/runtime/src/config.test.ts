import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { ConfigError, readConfig, SecretText } from './config.ts'

const Schema = z.object({
  NAME: z.string(),
  COUNT: z.coerce.number().default(3),
  TOKEN: SecretText.optional(),
})

describe('the configuration', () => {
  it('takes what is given, and defaults for what is empty', () => {
    expect(readConfig(Schema, { NAME: 'x', COUNT: '' })).toEqual({ NAME: 'x', COUNT: 3 })
  })

  it('names every variable at fault', () => {
    expect(() => readConfig(Schema, { COUNT: 'many' })).toThrow(/NAME is not set; COUNT: /)
  })

  it('reads a value from a file, and names one that cannot be read', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'althing-config-')), 'token')
    writeFileSync(file, 'planted\n')
    expect(readConfig(Schema, { NAME: 'x', TOKEN_FILE: file }).TOKEN?.reveal()).toBe('planted')
    expect(() => readConfig(Schema, { NAME: 'x', TOKEN_FILE: '/no/such' })).toThrow(
      new ConfigError('TOKEN_FILE names /no/such, which cannot be read.'),
    )
  })

  it('does not print a secret', () => {
    const { TOKEN } = readConfig(Schema, { NAME: 'x', TOKEN: 'planted' })
    expect(`${TOKEN} ${JSON.stringify({ TOKEN })} ${inspect(TOKEN)}`).not.toContain('planted')
  })
})
