import { describe, expect, it } from 'vitest'
import { walkTools } from './tool-list.ts'

const tool = (name: string) => ({ name, inputSchema: { type: 'object' } })

describe('the tool list', () => {
  it('follows cursors, the empty one too', async () => {
    const pages: Record<string, unknown> = {
      start: { tools: [tool('a')], nextCursor: '' },
      '': { tools: [tool('b')], nextCursor: 'c' },
      c: { tools: [tool('c')] },
    }
    const { tools, truncated } = await walkTools(async (cursor) => pages[cursor ?? 'start'])
    expect(tools.map(({ name }) => name)).toEqual(['a', 'b', 'c'])
    expect(truncated).toBeUndefined()
  })

  it('stops at a cursor that repeats, without copies', async () => {
    let asked = 0
    const { tools, truncated } = await walkTools(async () => {
      asked++
      return { tools: [tool('a'), tool('b')], nextCursor: 'same' }
    })
    expect(asked).toBe(2)
    expect(tools).toHaveLength(2)
    expect(truncated).toContain('same')
  })

  it('stops after fifty pages', async () => {
    let page = 0
    const { tools, truncated } = await walkTools(async () => ({
      tools: [tool(`t${page}`)],
      nextCursor: String(page++),
    }))
    expect(tools).toHaveLength(50)
    expect(truncated).toContain('50')
  })

  it('leaves out one bad tool with the reason, and keeps the rest', async () => {
    const { tools, problems } = await walkTools(async () => ({
      tools: [
        tool('good'),
        { name: 'u', inputSchema: { type: 'array' } },
        { name: '' },
        null,
        tool('also good'),
      ],
    }))
    expect(tools.map(({ name }) => name)).toEqual(['good', 'also good'])
    expect(problems.map((problem) => problem.tool)).toEqual(['u', '', '(without a name)'])
    expect(problems[0]?.detail).toContain('inputSchema.type')
  })

  it('is empty for an answer that is none', async () => {
    expect(await walkTools(async () => undefined)).toEqual({ tools: [], problems: [], truncated: undefined })
  })
})
