import type { Server } from '@althing/protocol/model/server'
import { describe, expect, it } from 'vitest'
import {
  draftOfServer,
  EMPTY_DRAFT,
  missingIn,
  pair,
  parseConfiguration,
  patchOf,
  registrationOf,
} from './server-draft.ts'

const server: Server = {
  id: '01890000-0000-7000-8000-000000000001',
  name: 'files',
  friendly_name: 'Files',
  description: '',
  transport: 'stdio',
  command: 'npx',
  args: ['-y', 'files'],
  env: { TOKEN: '***' },
  has_api_key: false,
  scope: 'shared',
  identity: 'one-for-all',
  owner: 'u1',
  enabled: true,
  state: 'running',
  state_since: '2026-07-03T12:00:00.000Z',
  tool_count: 2,
  isolation: 'process',
  created_at: '2026-07-03T12:00:00.000Z',
}

describe('the form of a server', () => {
  it('becomes a registration without empty members', () => {
    expect(
      registrationOf({
        ...EMPTY_DRAFT,
        name: ' files ',
        command: 'npx',
        args: '-y\n@modelcontextprotocol/server-filesystem\n/srv my files\n',
        pairs: [pair('TOKEN', 'a'), pair()],
      }),
    ).toEqual({
      name: 'files',
      transport: 'stdio',
      command: 'npx',
      args: ['-y', '@modelcontextprotocol/server-filesystem', '/srv my files'],
      env: { TOKEN: 'a' },
    })
    expect(
      registrationOf({ ...EMPTY_DRAFT, name: 'web', transport: 'http', url: 'https://a.test/mcp' }),
    ).toEqual({
      name: 'web',
      transport: 'http',
      url: 'https://a.test/mcp',
    })
  })

  it('names what is missing', () => {
    expect(Object.keys(missingIn({ ...EMPTY_DRAFT, name: 'My files' }))).toEqual(['name', 'command'])
    expect(Object.keys(missingIn({ ...EMPTY_DRAFT, name: 'a', transport: 'http' }))).toEqual(['url'])
  })

  it('sends only what was changed, so that masked secrets are kept', () => {
    const draft = draftOfServer(server)
    expect(patchOf(server, draft)).toEqual({})
    expect(patchOf(server, { ...draft, args: '', description: 'All files' })).toEqual({
      args: [],
      description: 'All files',
    })
    expect(patchOf(server, { ...draft, pairs: [...draft.pairs, pair('MODE', 'fast')] })).toEqual({
      env: { TOKEN: '***', MODE: 'fast' },
    })
    expect(patchOf(server, { ...draft, pairs: [] })).toEqual({ env: {} })
    expect(patchOf(server, { ...draft, transport: 'http', url: 'https://a.test', pairs: [] })).toEqual({
      transport: 'http',
      url: 'https://a.test',
    })
  })
})

describe('a pasted configuration', () => {
  it('reads the usual shape', () => {
    const drafts = parseConfiguration(
      JSON.stringify({
        mcpServers: {
          'My Files': { command: 'npx', args: ['-y', 'files'], env: { TOKEN: 1 } },
          web: { url: 'https://a.test/sse', type: 'sse', headers: { 'X-Key': 'k' } },
        },
      }),
    )
    expect(drafts).toMatchObject([
      { name: 'my-files', friendly_name: 'My Files', transport: 'stdio', args: '-y\nfiles' },
      { name: 'web', transport: 'sse', url: 'https://a.test/sse', pairs: [{ name: 'X-Key', value: 'k' }] },
    ])
  })

  it('reads the map or one server alone', () => {
    expect(parseConfiguration('{"a":{"command":"x"}}')).toMatchObject([{ name: 'a', command: 'x' }])
    expect(parseConfiguration('{"url":"https://a.test"}')).toMatchObject([{ name: '', transport: 'http' }])
  })

  it('says what is wrong', () => {
    expect(() => parseConfiguration('{')).toThrow('not valid JSON')
    expect(() => parseConfiguration('[]')).toThrow('an object is expected')
    expect(() => parseConfiguration('{"mcpServers":{}}')).toThrow('No server')
  })
})
