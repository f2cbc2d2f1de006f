import { describe, expect, it } from 'vitest'
import { parseAgent, readAgents, renderPrompt } from './agent-file.ts'

const file = (body: string) => `---\nname: main\ndescription: Helps.\ntype: chat\n---\n${body}`
const files: Record<string, string> = {
  'a.md': 'A\n<!-- INCLUDE: b.md -->',
  'b.md': 'B',
  'loop.md': '<!-- INCLUDE: loop.md -->',
}
const include = (path: string) => {
  const text = files[path]
  if (text === undefined) throw new Error(`no ${path}`)
  return text
}

describe('an agent file', () => {
  it('has a name, a type and its prompt with what it includes', () => {
    const agent = parseAgent(file('Hello\n<!-- INCLUDE: a.md -->'), 'main.md', include)
    expect(agent).toEqual({ name: 'main', description: 'Helps.', type: 'chat', prompt: 'Hello\nA\nB' })
  })

  it('is refused without front matter, of an unknown type, or in a circle', () => {
    expect(() => parseAgent('Hello', 'x.md', include)).toThrow(/front matter/)
    expect(() => parseAgent('---\nname: x\ntype: boss\n---\n', 'x.md', include)).toThrow(/type/)
    expect(() => parseAgent(file('<!-- INCLUDE: loop.md -->'), 'x.md', include)).toThrow(/circle/)
  })

  it('ships with the product', () => {
    const shipped = readAgents(import.meta.dirname)
    expect(shipped.map((agent) => agent.name).sort()).toEqual(['generalist', 'main', 'researcher', 'tic'])
  })

  it('lists servers to activate and active ones apart', () => {
    const agent = parseAgent(file('<!-- MCP_LIST -->'), 'main.md', include)
    const servers = [
      { name: 'mail', description: 'Mail.\nMore.' },
      { name: 'files', description: '' },
    ]
    expect(renderPrompt(agent, servers, ['files'])).toBe(
      'Available servers (load their tools with activate_tools):\n- mail: Mail.\n\nActive servers:\n- files: callable as mcp__files__<tool>',
    )
    expect(renderPrompt(agent, [], [])).toContain('- none')
  })
})
