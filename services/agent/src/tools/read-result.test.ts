import { describe, expect, it } from 'vitest'
import { readResult } from './read-result.ts'

const TEXT = `${'a'.repeat(30_000)}NEEDLE${'b'.repeat(10_000)}`
const stored = { status: 'done' as const, result: TEXT, result_type: 'string' as const }
const tool = readResult(async (call) => (call === 'c1' ? stored : undefined))
const actor = { user: 'ada', role: 'member' as const }
const context = { actor, callId: 'c0', signal: new AbortController().signal }
const run = (args: Record<string, unknown>) => tool.run(args, context)

// @case B40: results that are too long for a model
describe('read_result', () => {
  it('reads a long result to its end in parts', async () => {
    let text = ''
    let offset: number | undefined = 0
    while (offset !== undefined) {
      const part = (await run({ call: 'c1', offset })) as { text: string; next_offset?: number }
      text += part.text
      offset = part.next_offset
    }
    expect(text).toBe(TEXT)
  })

  it('finds a word, whatever its case', async () => {
    expect(await run({ call: 'c1', search: 'needle' })).toMatchObject({
      found: 1,
      hits: [{ offset: 30_000 }],
    })
    expect(await run({ call: 'c1', search: 'nothing' })).toMatchObject({ found: 0, hits: [] })
  })

  it('knows no call of another chat', async () => {
    await expect(run({ call: 'c2' })).rejects.toMatchObject({ code: 'not_found' })
  })
})
