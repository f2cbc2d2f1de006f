import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@althing/local-stack/port'
import type { CallResult } from '@althing/protocol/model/tool'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type House, openHouse } from '../harness/house.ts'
import { Person } from '../harness/person.ts'
import { EVERYTHING } from '../harness/servers.ts'
import { until } from '../harness/until.ts'

const require = createRequire(import.meta.url)
const GZIPPED = `data:text/plain;base64,${Buffer.from('hello').toString('base64')}`

let house: House
let ada: Person
let folder: string
const stack = new AsyncDisposableStack()

beforeAll(async () => {
  house = stack.use(await openHouse())
  ada = await Person.first(house.url)
  folder = await mkdtemp(join(tmpdir(), 'althing-real-'))
  stack.defer(() => rm(folder, { recursive: true, force: true }))
  await writeFile(join(folder, 'note.txt'), 'a note')
})
afterAll(() => stack.disposeAsync())

/** The reference server in a process of its own, on the wire that it is told. */
async function overHttp(wire: 'streamableHttp' | 'sse', path: string): Promise<string> {
  const port = await freePort()
  const env = { PATH: process.env.PATH, PORT: String(port) }
  const child = spawn(process.execPath, [EVERYTHING, wire], { stdio: 'ignore', env })
  stack.defer(async () => void child.kill('SIGKILL'))
  await until('the server listens', async () => {
    const stop = new AbortController()
    const { status } = await fetch(`http://127.0.0.1:${port}${path}`, { signal: stop.signal })
    stop.abort()
    return status < 500
  })
  return `http://127.0.0.1:${port}${path}`
}

async function call(server: string, tool: string, args: Record<string, unknown> = {}): Promise<CallResult> {
  const { status, body } = await ada.call(server, tool, args)
  expect(status, `${tool}: ${JSON.stringify(body).slice(0, 300)}`).toBe(200)
  return body
}

/** Calls a tool and answers what it asks. */
async function answered(
  server: string,
  tool: string,
  args: Record<string, unknown>,
  answer: Record<string, unknown>,
) {
  const calling = call(server, tool, args)
  const card = await until('a question', async () => (await ada.inbox()).elicitations[0])
  const sent = await ada.send('POST', `/api/inbox/elicitations/${card.id}/resolve`, answer)
  expect(sent.status, JSON.stringify(sent.body)).toBe(200)
  return { card, result: await calling }
}

// @requirement R24
describe.each(['stdio', 'streamable HTTP', 'HTTP+SSE'])('the reference server over %s', (wire) => {
  const name = { stdio: 'every-stdio', 'streamable HTTP': 'every-http', 'HTTP+SSE': 'every-sse' }[wire] ?? ''
  const tried = new Set<string>()
  const use = (tool: string, args: Record<string, unknown> = {}) => {
    tried.add(tool)
    return call(name, tool, args)
  }

  beforeAll(async () => {
    const registration =
      wire === 'stdio'
        ? { transport: 'stdio', command: process.execPath, args: [EVERYTHING, 'stdio'] }
        : wire === 'HTTP+SSE'
          ? { transport: 'sse', url: await overHttp('sse', '/sse') }
          : { transport: 'http', url: await overHttp('streamableHttp', '/mcp') }
    const { body } = await ada.register({ name, ...registration })
    expect(body, JSON.stringify(body.error)).toMatchObject({ state: 'running' })
  })

  it('gives text, numbers and structure', async () => {
    expect(String((await use('echo', { message: 'é漢😀' })).result)).toContain('é漢😀')
    expect(String((await use('get-sum', { a: 2, b: 40 })).result)).toContain('42')
    expect(await use('get-structured-content', { location: 'Chicago' })).toMatchObject({
      result_type: 'json',
      result: { conditions: expect.any(String) },
      warnings: [],
    })
    expect(
      String((await use('get-annotated-message', { messageType: 'error', includeImage: true })).result),
    ).toMatch(/error/i)
    expect(String((await use('get-env')).result)).toContain('PATH')
  })

  it('gives pictures, files and links', async () => {
    const { media } = await use('get-tiny-image')
    expect((await ada.fetch(String(media[0]?.url))).status).toBe(200)
    const gzip = await use('gzip-file-as-resource', {
      name: 'hello.gz',
      data: GZIPPED,
      outputType: 'resource',
    })
    expect(gzip.media).toMatchObject([{ mime_type: 'application/gzip' }])
    expect((await ada.fetch(String(gzip.media[0]?.url))).headers.get('content-disposition')).toMatch(
      /^attachment/,
    )
    expect(String((await use('get-resource-links', { count: 2 })).result)).toMatch(/demo:\/\//)
    expect(
      String((await use('get-resource-reference', { resourceType: 'Text', resourceId: 1 })).result),
    ).toMatch(/resource/i)
  })

  it('takes its time, tells of it, and pushes what it is switched to', async () => {
    expect(String((await use('trigger-long-running-operation', { duration: 1, steps: 2 })).result)).toMatch(
      /completed/i,
    )
    expect(String((await use('toggle-simulated-logging')).result)).toMatch(/started/i)
    await until('its log messages arrive', async () =>
      /\[(?:info|debug|warning|error|notice|critical|alert|emergency)\]/.test(
        String((await ada.send('GET', `/api/servers/${name}/log`)).body),
      ),
    )
    await use('toggle-simulated-logging')
    expect(String((await use('toggle-subscriber-updates')).result)).toMatch(/started/i)
    await use('toggle-subscriber-updates')
  })

  it('asks a person, by form and by address', async () => {
    tried.add('trigger-elicitation-request')
    const content = { name: 'Ada', check: true }
    const { card, result } = await answered(
      name,
      'trigger-elicitation-request',
      {},
      { action: 'accept', content },
    )
    expect(Object.keys(card.schema.properties as object).length).toBeGreaterThan(8)
    expect(String(result.result)).toContain('Ada')
    tried.add('trigger-url-elicitation')
    const url = 'https://example.test/consent'
    for (const errorPath of [false, true]) {
      const asked = { url, message: 'Consent there', errorPath, elicitationId: `e-${name}-${errorPath}` }
      const calling = call(name, 'trigger-url-elicitation', asked)
      for (let card = 0; card < (errorPath ? 2 : 1); card++) {
        const shown = await until('an address', async () => (await ada.inbox()).elicitations[0])
        // The error path wants another address visited first.
        expect(shown.mode).toBe('url')
        expect(shown.url).toMatch(errorPath && card === 0 ? /^https:\/\/modelcontextprotocol\.io/ : url)
        await ada.send('POST', `/api/inbox/elicitations/${shown.id}/resolve`, { action: 'accept' })
        await until('the card is gone', async () =>
          (await ada.inbox()).elicitations.every(({ id }) => id !== shown.id),
        )
      }
      expect((await calling).is_error).toBe(false)
    }
  })

  it('runs a task to its end', async () => {
    if (wire === 'HTTP+SSE') return void tried.add('simulate-research-query')
    const { result } = await use('simulate-research-query', { topic: 'assemblies', ambiguous: false })
    expect(String(result)).toMatch(/assemblies/)
  })

  it('has resources and prompts', async () => {
    const { body } = await ada.send<{ resources: { uri: string }[]; resource_templates: unknown[] }>(
      'GET',
      `/api/servers/${name}/resources`,
    )
    expect(body.resources.length).toBeGreaterThan(0)
    expect(body.resource_templates.length).toBeGreaterThan(0)
    const [first] = body.resources
    const read = await ada.send<{ contents: unknown[] }>('POST', `/api/servers/${name}/resources/read`, {
      uri: first?.uri,
    })
    expect(read.body.contents).toMatchObject([{ uri: first?.uri }])
    const listed = await ada.send<{ prompts: { name: string }[] }>('GET', `/api/servers/${name}/prompts`)
    expect(listed.body.prompts.map((prompt) => prompt.name)).toContain('simple-prompt')
    const prompt = await ada.send<{ messages: unknown[] }>('POST', `/api/servers/${name}/prompts/get`, {
      name: 'simple-prompt',
    })
    expect(prompt.body.messages.length).toBeGreaterThan(0)
    const missing = await ada.problem('POST', `/api/servers/${name}/resources/read`, {
      uri: 'demo://nothing',
    })
    expect(missing.body.code).toBe('upstream_error')
  })

  it('offers no tool that was not tried', async () => {
    const { body } = await ada.send<{ tools: { name: string }[] }>('GET', `/api/servers/${name}/tools`)
    expect(body.tools.map((tool) => tool.name).filter((tool) => !tried.has(tool))).toEqual([])
  })
})

describe('other servers as their packages ship them', () => {
  const enlist = async (
    name: string,
    script: string,
    args: string[] = [],
    env: Record<string, string> = {},
  ) => {
    const path = join(
      require.resolve('@modelcontextprotocol/server-everything/package.json'),
      `../../server-${script}/dist/index.js`,
    )
    const { body } = await ada.register({
      name,
      transport: 'stdio',
      command: process.execPath,
      args: [path, ...args],
      env,
    })
    expect(body, JSON.stringify(body.error)).toMatchObject({ state: 'running' })
  }

  it('reads and writes files in its folder and nowhere else', async () => {
    await enlist('files', 'filesystem', [folder])
    expect(
      JSON.stringify((await call('files', 'read_text_file', { path: join(folder, 'note.txt') })).result),
    ).toContain('a note')
    await call('files', 'write_file', { path: join(folder, 'new.txt'), content: 'new' })
    expect(
      String(JSON.stringify((await call('files', 'list_directory', { path: folder })).result)),
    ).toContain('new.txt')
    expect((await call('files', 'read_text_file', { path: '/etc/passwd' })).is_error).toBe(true)
  })

  it('remembers', async () => {
    await enlist('memory', 'memory', [], { MEMORY_FILE_PATH: join(folder, 'memory.jsonl') })
    const entities = [{ name: 'Althing', entityType: 'assembly', observations: ['meets in summer'] }]
    await call('memory', 'create_entities', { entities })
    expect(JSON.stringify((await call('memory', 'search_nodes', { query: 'summer' })).result)).toContain(
      'Althing',
    )
  })

  it('thinks step by step', async () => {
    await enlist('thinking', 'sequential-thinking')
    const thought = { thought: 'first', nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 }
    expect(JSON.stringify((await call('thinking', 'sequentialthinking', thought)).result)).toContain(
      'thoughtNumber',
    )
  })

  it.each([
    ['vanilla', 'basic-vanillajs', 'get-time'],
    ['monitor', 'system-monitor', 'get-system-info'],
  ])('%s tells what it knows', async (name, script, tool) => {
    await enlist(name, script, ['--stdio'])
    const { is_error: failed, result } = await call(name, tool)
    expect(failed).toBe(false)
    expect(JSON.stringify(result).length).toBeGreaterThan(10)
  })
})
