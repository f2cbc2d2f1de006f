import { describe, expect, it } from 'vitest'
import { curlOf, defaultsOf, draftsOf, fieldsOf, readDrafts, restOf } from './schema-form.ts'

const FORECAST = {
  type: 'object',
  properties: {
    days: { type: 'integer', minimum: 1, maximum: 16, default: 3 },
    city: { type: 'string', title: 'City' },
    units: { enum: ['metric', 'imperial'] },
    hourly: { type: 'boolean' },
    api_token: { type: 'string' },
    area: { type: 'object' },
  },
  required: ['city'],
}
const fields = fieldsOf(FORECAST)

describe('the form of a tool', () => {
  it('asks for each property in its way, required ones first', () => {
    expect(fields.map(({ name, kind }) => [name, kind])).toEqual([
      ['city', 'text'],
      ['days', 'integer'],
      ['units', 'choice'],
      ['hourly', 'boolean'],
      ['api_token', 'secret'],
      ['area', 'json'],
    ])
    expect(fields[0]).toMatchObject({ label: 'City', required: true })
    expect(fields[1]).toMatchObject({ range: '1 to 16' })
  })

  it('has no fields for a tool without arguments', () => {
    expect(fieldsOf({ type: 'object' })).toEqual([])
  })

  it('starts with the defaults', () => {
    expect(defaultsOf(fields)).toEqual({ days: 3 })
  })

  it('shows and reads back the same value', () => {
    const args = { city: 'Tromsø', days: 5, units: 'imperial', hourly: false, area: { km: 2 }, extra: [1] }
    const drafts = draftsOf(fields, args)
    expect(readDrafts(fields, drafts, restOf(fields, args))).toEqual({ args, errors: {} })
  })

  it('leaves out what was left empty, and names what is wrong', () => {
    expect(readDrafts(fields, { days: '17', area: '{', units: '', hourly: '' })).toEqual({
      args: {},
      errors: { city: 'This is required.', days: 'Give 1 to 16.', area: 'This is not valid JSON.' },
    })
    expect(readDrafts(fields, { city: '', days: '1.5' }).errors).toEqual({ days: 'Give a whole number.' })
  })

  it('becomes a shell command that survives quotes', () => {
    expect(curlOf('https://althing.test', 'weather', 'get/it', { city: "L'Aquila" })).toBe(
      [
        `curl -sS 'https://althing.test/api/servers/weather/tools/get%2Fit/call'`,
        `  -H "Authorization: Bearer $ALTHING_KEY"`,
        `  -H 'Content-Type: application/json'`,
        `  -d '{"arguments":{"city":"L'\\''Aquila"}}'`,
      ].join(' \\\n'),
    )
  })
})
