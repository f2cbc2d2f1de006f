import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { isAbsolute, join, normalize } from 'node:path'

/** An agent as its Markdown file describes it. */
export interface AgentFile {
  readonly name: string
  readonly description: string
  readonly type: 'chat' | 'task' | 'system'
  /** The prompt, included files laid in; the place of the server list still marked. */
  readonly prompt: string
}

const FRONT_MATTER = /^---\n([\s\S]*?)\n---\n/
const INCLUDE = /<!--\s*INCLUDE:\s*(\S+)\s*-->/g
const MCP_LIST = /<!--\s*MCP_LIST\s*-->/g
const TYPES = ['chat', 'task', 'system'] as const

/** Reads every agent of a folder. Throws on a file that is not well formed: it ships with the product. */
export function readAgents(folder: string): AgentFile[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.md') && !name.startsWith('_'))
    .map((name) =>
      parseAgent(readFileSync(join(folder, name), 'utf8'), name, (path) => readIncluded(folder, path)),
    )
}

/** The folder beside this module in the sources, or beside the bundle. */
export function agentsFolder(given: string | undefined): string {
  if (given !== undefined) return given
  const beside = join(import.meta.dirname, 'agents')
  return existsSync(beside) ? beside : import.meta.dirname
}

export function parseAgent(text: string, file: string, include: (path: string) => string): AgentFile {
  const front = FRONT_MATTER.exec(text)
  if (front === null) throw new Error(`${file} has no front matter`)
  const fields = new Map(
    (front[1] ?? '').split('\n').map((line) => {
      const at = line.indexOf(':')
      return [line.slice(0, at).trim(), line.slice(at + 1).trim()] as const
    }),
  )
  const type = TYPES.find((one) => one === fields.get('type'))
  const name = fields.get('name')
  if (name === undefined || type === undefined)
    throw new Error(`${file} needs a name, and a type of ${TYPES.join(', ')}`)
  const body = text.slice(front[0].length)
  return {
    name,
    description: fields.get('description') ?? '',
    type,
    prompt: withIncludes(body, include, [file]).trim(),
  }
}

function withIncludes(text: string, include: (path: string) => string, trail: readonly string[]): string {
  return text.replaceAll(INCLUDE, (_mark, path: string) => {
    if (trail.includes(path)) throw new Error(`${[...trail, path].join(' includes ')}: a circle`)
    return withIncludes(include(path), include, [...trail, path])
  })
}

function readIncluded(folder: string, path: string): string {
  const inside = normalize(path)
  if (isAbsolute(inside) || inside.startsWith('..'))
    throw new Error(`${path} is not inside the agents' folder`)
  return readFileSync(join(folder, inside), 'utf8')
}

export interface ListedServer {
  readonly name: string
  readonly description: string
}

/** The prompt with the two sections of servers in the marked place: those to activate, and those that are active. */
export function renderPrompt(
  agent: AgentFile,
  servers: readonly ListedServer[],
  active: readonly string[],
): string {
  return agent.prompt.replaceAll(MCP_LIST, () => renderServers(servers, active))
}

function renderServers(servers: readonly ListedServer[], active: readonly string[]): string {
  const available = servers.filter(({ name }) => !active.includes(name))
  const lines = available.map(
    ({ name, description }) => `- ${name}${description ? `: ${description.split('\n', 1)[0]}` : ''}`,
  )
  const loaded = active.map((name) => `- ${name}: callable as mcp__${name}__<tool>`)
  return [
    'Available servers (load their tools with activate_tools):',
    lines.join('\n') || '- none',
    ...(loaded.length > 0 ? ['', 'Active servers:', loaded.join('\n')] : []),
  ].join('\n')
}
