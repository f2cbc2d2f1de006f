import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { connect } from './connect.ts'
import type { Connection, ConnectOptions } from './connection.ts'
import { readResult } from './result.ts'
import { isAlive } from './transport/process-group.ts'

const FIXTURES = join(import.meta.dirname, '../../../test/fixtures')
const { signal } = new AbortController()

interface Seen {
  readonly log: string[]
  readonly notifications: string[]
  readonly closed: Promise<string>
  lists: number
}

async function open(
  script: string,
  args: string[] = [],
  more: Partial<ConnectOptions> = {},
): Promise<Connection & { seen: Seen }> {
  const closed = Promise.withResolvers<string>()
  const seen: Seen = { log: [], notifications: [], closed: closed.promise, lists: 0 }
  const connection = await connect({
    target: {
      kind: 'stdio',
      command: process.execPath,
      args: [join(FIXTURES, script), ...args],
      env: { PATH: '/usr/bin:/bin' },
    },
    clientInfo: { name: 'test', version: '1' },
    startTimeoutMs: 10_000,
    probeTimeoutMs: 500,
    maxMessageBytes: 200_000,
    graceMs: 200,
    onLog: ({ tag, text }) => seen.log.push(`[${tag}] ${text}`),
    onNotification: (method) => seen.notifications.push(method),
    onToolsChanged: async () => {
      seen.lists++
      await connection.listTools(signal).catch(() => {})
    },
    onClose: closed.resolve,
    signal,
    ...more,
  })
  return Object.assign(connection, { seen })
}

async function call(
  connection: Connection,
  name: string,
  args: Record<string, unknown> = {},
  timeoutMs = 5000,
  stop = signal,
): Promise<unknown> {
  const { result } = await connection.request({
    method: 'tools/call',
    params: { name, arguments: args },
    caller: 'ada',
    timeoutMs,
    capMs: 60_000,
    signal: stop,
  })
  return result
}

async function echo(connection: Connection): Promise<unknown> {
  return readResult(await call(connection, 'echo')).value
}

describe('bad habits on the pipe', () => {
  // @case B01: lines on stdout that are no message
  // @case B02: characters cut by the border of a chunk
  // @case B05: other line endings
  // @case B61: progress nobody asked for
  // @case B07: batches of messages
  it.each([
    'banner',
    'split-utf8',
    'crlf',
    'bom',
    'batch',
    'string-ids',
    'silent-on-probe',
    'exit-on-probe',
    'unknown-version',
    'odd-progress',
  ])('a server with %s works', async (habit) => {
    await using connection = await open('hostile.ts', [habit])
    expect(connection.era).toBe('legacy')
    expect((await connection.listTools(signal)).tools).toHaveLength(1)
    expect(await echo(connection)).toBe('é漢😀')
    if (habit === 'banner') {
      expect(connection.seen.log).toContain('[stdout] demo server v0 ready')
      expect(connection.seen.notifications).toEqual([])
    }
    if (habit === 'unknown-version') expect(connection.protocolVersion).toBe('2025-01-01')
  })

  // @case B08: ids that come back as something else
  it('an answer with an empty id settles no request', async () => {
    await using connection = await open('hostile.ts', ['empty-id'])
    await expect(call(connection, 'echo', {}, 300)).rejects.toMatchObject({ code: 'timeout' })
    expect(connection.seen.log.join()).toContain('belongs to no request')
  })

  // @case B03: one message above the limit
  it('a message over the limit fails its own call and no other', async () => {
    await using connection = await open('hostile.ts')
    const other = call(connection, 'later')
    await expect(call(connection, 'big')).rejects.toMatchObject({ code: 'result_too_large' })
    expect(readResult(await other).value).toBe('later')
    expect(await echo(connection)).toBe('é漢😀')
  })

  // @case B29: one bad tool in a list
  // @case B32: lists that never end
  // @case B35: capabilities that are declared and missing, or the other way round
  it('a bad tool, a looping cursor or no tools at all cost nothing else', async () => {
    await using bad = await open('hostile.ts', ['bad-tool'])
    expect(await bad.listTools(signal)).toMatchObject({
      tools: [{ name: 'echo' }],
      problems: [{ tool: 'broken' }],
    })
    await using loop = await open('hostile.ts', ['cursor-loop'])
    expect(await loop.listTools(signal)).toMatchObject({
      tools: [{ name: 'echo' }],
      truncated: expect.stringContaining('same'),
    })
    await using none = await open('hostile.ts', ['no-tools'])
    expect(await none.listTools(signal)).toMatchObject({ tools: [] })
  })

  // @case B34: storms of changed lists
  it('a list that notifies of itself is not asked without end', async () => {
    await using connection = await open('hostile.ts', ['list-storm'])
    await connection.listTools(signal)
    await echo(connection)
    expect(connection.seen.lists).toBeLessThan(5)
  })

  // @case B63: requests of servers that nobody serves
  it('requests of the server are answered at once', async () => {
    await using connection = await open('hostile.ts')
    expect(readResult(await call(connection, 'ask')).value).toBe('[-32601,{}]')
  })
})

describe('the life of the process', () => {
  it('a crash in mid-call fails it at once, with the reason', async () => {
    await using connection = await open('notifier.ts')
    const began = performance.now()
    await expect(call(connection, 'crash')).rejects.toMatchObject({
      code: 'connection_lost',
      message: /exited with code 7/,
    })
    expect(performance.now() - began).toBeLessThan(1000)
    expect(await connection.seen.closed).toBe('exited with code 7')
    await expect(call(connection, 'echo')).rejects.toMatchObject({ code: 'connection_lost' })
  })

  // @case B13: servers that end right after a good handshake
  it('an exit after a good handshake is told', async () => {
    await using connection = await open('hostile.ts', ['exit-after-list'])
    await connection.listTools(signal).catch(() => {})
    expect(await connection.seen.closed).toBe('exited with code 0')
  })

  it.each(['ignore-sigterm', 'grandchild'])('closing leaves nothing of a server with %s', async (habit) => {
    const connection = await open('hostile.ts', [habit])
    const { process: identity } = connection
    expect(identity && isAlive(identity)).toBe(true)
    await connection.close()
    expect(identity && isAlive(identity)).toBe(false)
    // The dead that init has not reaped yet do not count.
    const left = spawnSync('ps', ['-o', 'stat=', '-g', String(identity?.pid)]).stdout.toString()
    expect(left.split('\n').filter((state) => state !== '' && !state.startsWith('Z'))).toEqual([])
  })

  // @case B12: servers that ignore every request to stop
  it('several stubborn servers are closed within one ladder', async () => {
    const all = await Promise.all(Array.from({ length: 6 }, () => open('hostile.ts', ['ignore-sigterm'])))
    const began = performance.now()
    await Promise.all(all.map((one) => one.close()))
    expect(performance.now() - began).toBeLessThan(5000)
  })

  // @case B15: writing to a server that is gone
  it('servers that die while they are written to never end this process', async () => {
    for (let i = 0; i < 10; i++) {
      const dying = { kind: 'stdio', command: 'head', args: ['-c1'], env: { PATH: '/usr/bin:/bin' } } as const
      await expect(open('', [], { target: dying, startTimeoutMs: 3000 })).rejects.toMatchObject({
        code: 'start_failed',
      })
    }
  })

  it.each([
    [
      { command: 'no-such-program', args: [], env: { PATH: '/nonexistent' } },
      'command_not_found',
      /\/nonexistent/,
    ],
    [{ command: 'npx -y demo', args: [], env: { PATH: '/bin' } }, 'command_not_found', /"args"/],
    [
      { command: 'true', args: [], env: { PATH: '/bin' }, cwd: '/no/such/folder' },
      'start_failed',
      /\/no\/such\/folder/,
    ],
  ])('%o says what to mend', async (target, code, message) => {
    await expect(open('', [], { target: { kind: 'stdio', ...target } })).rejects.toMatchObject({
      code,
      message,
    })
  })
})

describe('ending a call early', () => {
  it('by time-out or by stop is told to the server with its reason', async () => {
    await using connection = await open('notifier.ts')
    await expect(call(connection, 'slow', { ms: 60_000 }, 100)).rejects.toMatchObject({ code: 'timeout' })
    const stop = new AbortController()
    const slow = call(connection, 'slow', { ms: 60_000 }, 5000, stop.signal)
    stop.abort()
    await expect(slow).rejects.toMatchObject({ code: 'cancelled' })
    expect(readResult(await call(connection, 'echo', { text: 'after' })).value).toBe('after')
    const words = connection.seen.log.filter((line) => line.includes('slow cancelled'))
    expect(words).toEqual(['[stderr] slow cancelled: timeout', '[stderr] slow cancelled: cancelled'])
  })

  it('keeps events and log messages apart', async () => {
    await using connection = await open('notifier.ts')
    await call(connection, 'notify', { count: 3 })
    await call(connection, 'log', { level: 'warning', text: 'careful' })
    expect(connection.seen.notifications).toEqual(['event/new_email', 'event/new_email', 'event/new_email'])
    expect(connection.seen.log).toContain('[warning] fixture: careful')
  })
})
