import type { Registration, RegistrationPatch, Server } from '@althing/protocol/model/server'

export interface Pair {
  readonly key: number
  readonly name: string
  readonly value: string
}

/** The form of a server as it is typed. `args`: one argument a line. `pairs`: variables, or headers of an address. */
export interface ServerDraft {
  readonly name: string
  readonly friendly_name: string
  readonly description: string
  readonly transport: Registration['transport']
  readonly command: string
  readonly args: string
  readonly url: string
  readonly api_key: string
  readonly pairs: readonly Pair[]
}

export const EMPTY_DRAFT: ServerDraft = {
  name: '',
  friendly_name: '',
  description: '',
  transport: 'stdio',
  command: '',
  args: '',
  url: '',
  api_key: '',
  pairs: [],
}

let keys = 0
export function pair(name = '', value = ''): Pair {
  keys += 1
  return { key: keys, name, value }
}

function pairsOf(values: Readonly<Record<string, string>> | undefined): Pair[] {
  return Object.entries(values ?? {}).map(([name, value]) => pair(name, value))
}

export function draftOfServer(server: Server): ServerDraft {
  return {
    ...EMPTY_DRAFT,
    name: server.name,
    friendly_name: server.friendly_name,
    description: server.description,
    transport: server.transport,
    command: server.command ?? '',
    args: (server.args ?? []).join('\n'),
    url: server.url ?? '',
    pairs: pairsOf(server.transport === 'stdio' ? server.env : server.headers),
  }
}

function valuesOf(pairs: readonly Pair[]): Record<string, string> {
  return Object.fromEntries(
    pairs.filter(({ name }) => name.trim() !== '').map(({ name, value }) => [name.trim(), value]),
  )
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.replace(/\n+$/, '').split('\n')
}

export function registrationOf(draft: ServerDraft): Registration {
  const values = valuesOf(draft.pairs)
  const some = Object.keys(values).length > 0
  const texts = {
    name: draft.name.trim(),
    ...(draft.friendly_name.trim() === '' ? {} : { friendly_name: draft.friendly_name.trim() }),
    ...(draft.description.trim() === '' ? {} : { description: draft.description.trim() }),
  }
  if (draft.transport === 'stdio')
    return {
      ...texts,
      transport: 'stdio',
      command: draft.command.trim(),
      args: linesOf(draft.args),
      ...(some ? { env: values } : {}),
    }
  return {
    ...texts,
    transport: draft.transport,
    url: draft.url.trim(),
    ...(draft.api_key === '' ? {} : { api_key: draft.api_key }),
    ...(some ? { headers: values } : {}),
  }
}

/**
 * Only what was changed: stored secrets are shown as a mask, also inside an address. A masked value that is
 * sent among others keeps the stored one.
 */
export function patchOf(server: Server, draft: ServerDraft): RegistrationPatch {
  const before = registrationOf(draftOfServer(server))
  const after = {
    ...registrationOf(draft),
    friendly_name: draft.friendly_name.trim(),
    description: draft.description.trim(),
    ...(draft.transport === 'stdio' ? { env: valuesOf(draft.pairs) } : { headers: valuesOf(draft.pairs) }),
  }
  const old: Readonly<Record<string, unknown>> = {
    ...{ friendly_name: '', description: '', args: [], env: {}, headers: {} },
    ...before,
  }
  const { name: _name, ...changed } = Object.fromEntries(
    Object.entries(after).filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(old[key])),
  )
  return changed
}

/** What has to be filled in before the form can be sent, by field. */
export function missingIn(draft: ServerDraft): Partial<Record<keyof ServerDraft, string>> {
  return {
    ...(/^[a-z0-9-]{1,32}$/.test(draft.name.trim()) ? {} : { name: 'Use 1 to 32 of a-z, 0-9 and "-".' }),
    ...(draft.transport === 'stdio' && draft.command.trim() === ''
      ? { command: 'Give the program to start.' }
      : {}),
    ...(draft.transport !== 'stdio' && draft.url.trim() === ''
      ? { url: 'Give the address of the server.' }
      : {}),
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function textsOf(value: unknown): Record<string, string> {
  if (!isRecord(value)) return {}
  return Object.fromEntries(Object.entries(value).map(([name, text]) => [name, String(text)]))
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/**
 * Reads the configuration that other MCP hosts use: `{ "mcpServers": { "<name>": { command, args, env } } }`,
 * the map alone, or one server alone. Throws a SyntaxError with a plain sentence.
 */
export function parseConfiguration(text: string): ServerDraft[] {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    throw new SyntaxError('This is not valid JSON. Check commas, quotes and brackets.')
  }
  if (!isRecord(json)) throw new SyntaxError('This is no configuration: an object is expected.')
  const inner = json.mcpServers ?? json.servers ?? json
  if (!isRecord(inner)) throw new SyntaxError('"mcpServers" holds no servers.')
  const entries = isServer(inner) ? [['', inner] as const] : Object.entries(inner)
  const drafts = entries.flatMap(([name, entry]) => (isServer(entry) ? [draftOfEntry(name, entry)] : []))
  if (drafts.length === 0) throw new SyntaxError('No server with a "command" or a "url" is in it.')
  return drafts
}

function isServer(value: unknown): value is Readonly<Record<string, unknown>> {
  return isRecord(value) && (typeof value.command === 'string' || typeof value.url === 'string')
}

function draftOfEntry(name: string, entry: Readonly<Record<string, unknown>>): ServerDraft {
  const stdio = typeof entry.command === 'string'
  return {
    ...EMPTY_DRAFT,
    name: slugOf(name),
    friendly_name: slugOf(name) === name ? '' : name,
    description: textOf(entry.description),
    transport: stdio ? 'stdio' : entry.type === 'sse' || entry.transport === 'sse' ? 'sse' : 'http',
    command: textOf(entry.command),
    args: Array.isArray(entry.args) ? entry.args.map(String).join('\n') : '',
    url: textOf(entry.url),
    pairs: pairsOf(textsOf(stdio ? entry.env : entry.headers)),
  }
}

function slugOf(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 32)
}
