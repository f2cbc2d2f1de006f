import { describe, expect, it } from 'vitest'
import { NO_OUTPUT, readResult } from './result.ts'

const PNG = 'iVBORw0KGgo='
const text = (value: string) => ({ type: 'text', text: value })

describe('a result', () => {
  it('prefers the structure over its text mirror', () => {
    expect(readResult({ content: [text('{"a":1}')], structuredContent: { a: 1 } })).toMatchObject({
      kind: 'json',
      value: { a: 1 },
    })
  })

  // @case B36: errors whose structure does not fit their schema
  it('keeps the reason of an error whatever its structure', () => {
    const read = readResult({
      isError: true,
      content: [text('quota reached')],
      structuredContent: { error: 1 },
    })
    expect(read).toMatchObject({ isError: true, kind: 'string', value: 'quota reached' })
    expect(read.warnings[0]).toContain('{"error":1}')
  })

  // @case B37: results without content
  it.each([[{}], [{ content: null }], [{ content: [{ type: 'text' }] }], [null], [undefined]])(
    'says that %j is no output',
    (raw) => {
      expect(readResult(raw)).toMatchObject({ kind: 'string', value: NO_OUTPUT, isError: false })
    },
  )

  it('shows data that is all there is', () => {
    expect(readResult({ content: [], structuredContent: { total: 3 } })).toMatchObject({
      kind: 'json',
      value: { total: 3 },
    })
    expect(readResult({ toolResult: [1] })).toMatchObject({ kind: 'json', value: [1] })
  })

  it.each([PNG, `data:image/png;base64,${PNG}`, `iVBORw0K\nGgo`, 'iVBORw0KGgo'])(
    'reads the image %j beside its text',
    (data) => {
      const read = readResult({ content: [text('keep'), { type: 'image', mimeType: 'image/png', data }] })
      expect(read.value).toBe('keep')
      expect(read.media[0]).toMatchObject({
        kind: 'image',
        mimeType: 'image/png',
        bytes: Buffer.from(PNG, 'base64'),
      })
    },
  )

  // @case B38: one odd block in a result
  it('never loses the rest to one odd block', () => {
    const read = readResult({
      content: [
        text('keep'),
        { type: 'blob', data: 'AA==' },
        null,
        { type: 'image', data: '%%' },
        text('too'),
      ],
    })
    expect(read.value).toBe('keep\n{"type":"blob","data":"AA=="}\nnull\n(unreadable image)\ntoo')
    expect(read.warnings).toHaveLength(1)
  })

  it('keeps embedded text and links', () => {
    const read = readResult({
      content: [
        { type: 'resource', resource: { uri: 'x:', text: 'inside' } },
        { type: 'resource_link', uri: 'https://example.test/a', name: 'A' },
      ],
    })
    expect(read.value).toBe('inside\nA: https://example.test/a')
  })
})
