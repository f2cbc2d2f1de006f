import { type ChildProcess, spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Ask } from './ask.ts'
import { connect } from './connect.ts'
import type { CallRequest, Connection, ConnectOptions } from './connection.ts'
import { readResult } from './result.ts'

const FIXTURE = join(import.meta.dirname, '../../../test/fixtures/asking.ts')
const { signal } = new AbortController()

const PLACES = [
  ['legacy', 'stdio'],
  ['modern', 'stdio'],
  ['legacy', 'http'],
  ['modern', 'http'],
] as const

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

describe.each(PLACES)('a server of the %s era over %s', (era, wire) => {
  let child: ChildProcess | undefined
  let connection: Connection
  const log: string[] = []
  const lists: (() => void)[] = []

  beforeAll(async () => {
    const port = await freePort()
    if (wire === 'http') {
      child = spawn(process.execPath, [FIXTURE, era, String(port)], { stdio: ['ignore', 'ignore', 'pipe'] })
      await new Promise<void>((resolve) => child?.stderr?.once('data', () => resolve()))
    }
    const target: ConnectOptions['target'] =
      wire === 'stdio'
        ? { kind: 'stdio', command: process.execPath, args: [FIXTURE, era], env: { PATH: '/usr/bin:/bin' } }
        : {
            kind: 'http',
            url: new URL(`http://127.0.0.1:${port}/mcp`),
            headers: {},
            allowSse: false,
            policy: { loopback: true, private: true },
          }
    connection = await connect({
      target,
      clientInfo: { name: 'test', version: '1' },
      startTimeoutMs: 10_000,
      probeTimeoutMs: 2000,
      maxMessageBytes: 200_000,
      graceMs: 200,
      relays: true,
      onLog: ({ tag, text }) => log.push(`[${tag}] ${text}`),
      onNotification: () => {},
      onToolsChanged: async () => {
        for (const wake of lists.splice(0)) wake()
      },
      onClose: () => {},
      signal,
    })
  })

  afterAll(async () => {
    await connection.close()
    child?.kill('SIGKILL')
  })

  async function call(name: string, args: unknown, more: Partial<CallRequest> = {}): Promise<unknown> {
    const { result } = await connection.request({
      method: 'tools/call',
      params: { name, arguments: args },
      caller: 'ada',
      timeoutMs: 5000,
      capMs: 60_000,
      signal,
      ...more,
    })
    const { value } = readResult(result)
    return /^[[{"]/.test(String(value)) ? JSON.parse(String(value)) : value
  }

  const answer =
    (content: unknown, asks: Ask[] = []) =>
    async (ask: Ask) => {
      asks.push(ask)
      return { action: 'accept', content }
    }

  it('is found out', () => expect(connection.era).toBe(era))

  it('asks with a form that keeps what the SDK would drop, and gets the answer', async () => {
    const asks: Ask[] = []
    const properties = {
      password: { type: 'string', format: 'password', title: 'Password' },
      token: { type: 'string', writeOnly: true },
      color: { type: 'string', oneOf: [{ const: 'r', title: 'Red' }] },
    }
    const form = { mode: 'form', message: 'Who?', requestedSchema: { type: 'object', properties } }
    const content = { password: 'x', token: 'y', color: 'r' }
    expect(await call('ask', form, { answer: answer(content, asks) })).toEqual({ action: 'accept', content })
    expect(asks).toEqual([{ method: 'elicitation/create', params: form }])
  })

  it('asks by URL', async () => {
    const url = { mode: 'url', message: 'Sign in', url: 'https://example.test/x', elicitationId: 'e1' }
    expect(await call('ask', url, { answer: async () => ({ action: 'decline' }) })).toEqual({
      action: 'decline',
    })
  })

  it('is told cancel when nobody can be asked', async () => {
    const form = { message: 'x', requestedSchema: { type: 'object', properties: {} } }
    const failing = () => Promise.reject(new Error('gone'))
    expect(await call('ask', form, { answer: failing })).toEqual({ action: 'cancel' })
  })

  it('gets its state back byte by byte', async () => {
    expect(await call('state', {}, { answer: answer({}) })).toBe('same')
  })

  // @case B59: people who take longer than a call may
  it('has its clock stand still while a person thinks', async () => {
    const form = { message: 'x', requestedSchema: { type: 'object', properties: {} } }
    const slowly = async () => {
      await new Promise((resolve) => setTimeout(resolve, 900))
      return { action: 'accept', content: {} }
    }
    expect(await call('ask', form, { answer: slowly, timeoutMs: 500 })).toMatchObject({ action: 'accept' })
  })

  it('takes the question back when the call ends', async () => {
    const form = { message: 'x', requestedSchema: { type: 'object', properties: {} } }
    const withdrawn = Promise.withResolvers<void>()
    const stop = new AbortController()
    const never = (_ask: Ask, wanted: AbortSignal) =>
      new Promise<never>((_resolve, reject) => {
        const end = () => {
          withdrawn.resolve()
          reject(new Error('withdrawn'))
        }
        wanted.addEventListener('abort', end, { once: true })
        setTimeout(() => stop.abort(), 50)
      })
    const calling = call('ask', form, { answer: never, signal: stop.signal })
    await expect(calling).rejects.toMatchObject({ code: 'cancelled' })
    await withdrawn.promise
  })

  it('relays sampling to a caller that offers it', async () => {
    const reply = { role: 'assistant', content: { type: 'text', text: 'hi' }, model: 'm' }
    const sampling = { answer: async () => reply, capabilities: { sampling: {} } }
    expect(await call('sample', { messages: [] }, sampling)).toEqual(reply)
  })

  it('waits for a task until it is done', async () => {
    const begun: string[] = []
    const onTask = async ({ taskId }: { taskId: string }) => void begun.push(taskId)
    expect(await call('task', { polls: 2 }, { onTask, timeoutMs: 300 })).toBe('task done')
    expect(begun).toHaveLength(1)
  })

  it('asks in the middle of a task', async () => {
    const form = { message: 'x', requestedSchema: { type: 'object', properties: { a: { type: 'string' } } } }
    const given = await call('task', { ask: form }, { answer: answer({ a: 'b' }) })
    expect(given).toEqual({ action: 'accept', content: { a: 'b' } })
  })

  it('tells why a task failed', async () => {
    const failing = call('task', { polls: 1, fail: true })
    if (era === 'modern')
      await expect(failing).rejects.toMatchObject({ message: expect.stringMatching(/the task broke/) })
    else await failing
  })

  it('tells of a changed tool list', async () => {
    const changed = new Promise<void>((resolve) => lists.push(resolve))
    await call('change', { add: `more-${era}` })
    if (era === 'legacy' && wire === 'http') return
    await changed
    const { tools } = await connection.listTools(signal)
    expect(tools.map((tool) => tool.name)).toContain(`more-${era}`)
  })

  it('tells progress and log messages to the caller alone', async () => {
    const progress: unknown[] = []
    const notes: unknown[] = []
    await call(
      'log',
      { text: 'hello' },
      {
        onProgress: (one) => progress.push(one),
        onNotification: (_method, params) => notes.push(params),
      },
    )
    expect(progress).toEqual([{ progress: 1, total: 2, message: 'half' }])
    expect(notes).toEqual([{ level: 'info', logger: 'asking', data: 'hello' }])
    expect(log).toContain('[info] asking: hello')
  })

  it('lets answers be kept for as long as the server says, when it says so', async () => {
    const read = async () => {
      const { result } = await connection.request({
        method: 'resources/read',
        params: { uri: 'test://a' },
        caller: 'ada',
        timeoutMs: 5000,
        capMs: 5000,
        signal,
      })
      return (result as { contents: { text: string }[] }).contents[0]?.text
    }
    expect([await read(), await read()]).toEqual(['read 1', 'read 1'])
  })
})
