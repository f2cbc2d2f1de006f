import { createServer, type RequestListener } from 'node:http'
import { describe, expect, it } from 'vitest'
import { connect } from './connect.ts'
import type { Connection } from './connection.ts'

interface Served extends AsyncDisposable {
  readonly url: string
}

async function serve(listener: RequestListener): Promise<Served> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no address')
  return {
    url: `http://127.0.0.1:${address.port}/mcp`,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function open(url: string, loopback = true, onClose: (reason: string) => void = () => {}) {
  return connect({
    target: {
      kind: 'http',
      url: new URL(url),
      headers: {},
      allowSse: false,
      policy: { loopback, private: loopback },
    },
    clientInfo: { name: 'test', version: '1' },
    startTimeoutMs: 5000,
    probeTimeoutMs: 1000,
    maxMessageBytes: 200_000,
    graceMs: 200,
    onLog: () => {},
    onNotification: () => {},
    onToolsChanged: async () => {},
    onClose,
    signal: new AbortController().signal,
  })
}

function call(connection: Connection): Promise<unknown> {
  return connection.request({
    method: 'tools/call',
    params: { name: 'x', arguments: {} },
    caller: 'ada',
    timeoutMs: 5000,
    capMs: 60_000,
    signal: new AbortController().signal,
  })
}

/** A small server of the older era whose answer to a call is the test's own. */
function legacy(onCall: RequestListener): RequestListener {
  return (request, response) => {
    if (request.method !== 'POST') return response.writeHead(405).end()
    let text = ''
    request.on('data', (chunk) => {
      text += chunk
    })
    request.on('end', () => {
      const { id, method } = JSON.parse(text)
      const json = (body: object) =>
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify({ jsonrpc: '2.0', id, ...body }))
      if (id === undefined) response.writeHead(202).end()
      else if (method === 'initialize') {
        json({
          result: {
            protocolVersion: '2025-11-25',
            capabilities: { tools: {} },
            serverInfo: { name: 's', version: '1' },
          },
        })
      } else if (method === 'tools/call') onCall(request, response)
      else json({ error: { code: -32601, message: 'Method not found' } })
    })
    return undefined
  }
}

async function callOn(onCall: RequestListener): Promise<unknown> {
  await using server = await serve(legacy(onCall))
  await using connection = await open(server.url)
  const began = performance.now()
  const outcome = await call(connection).catch((error: unknown) => error)
  expect(performance.now() - began).toBeLessThan(2000)
  return outcome
}

// @case B44: requests that are never answered
// @case B45: pages in place of answers
describe('a call that gets no answer fails at once', () => {
  it.each<[string, RequestListener]>([
    ['202 with nothing', (_request, response) => response.writeHead(202).end()],
    [
      '200 with an empty body',
      (_request, response) => response.writeHead(200, { 'content-type': 'application/json' }).end(),
    ],
    [
      'a stream that ends without a word',
      (_request, response) =>
        response.writeHead(200, { 'content-type': 'text/event-stream' }).end(': open\n\n'),
    ],
    [
      'a page',
      (_request, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Log in</h1>'),
    ],
  ])('%s', async (_what, onCall) => {
    expect(await callOn(onCall)).toMatchObject({ code: 'protocol_error' })
  })

  it('a body over the limit', async () => {
    const huge = JSON.stringify({ jsonrpc: '2.0', id: 1, result: 'x'.repeat(300_000) })
    const outcome = await callOn((_request, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(huge),
    )
    expect(outcome).toMatchObject({ code: 'result_too_large' })
  })
})

describe('a server that cannot be connected', () => {
  it.each<[string, RequestListener, string, RegExp]>([
    ['asks for a sign-in', (_request, response) => response.writeHead(401).end(), 'needs_auth', /401/],
    [
      'answers with a page',
      (_request, response) =>
        response.writeHead(200, { 'content-type': 'text/html' }).end('<script>alert(1)</script>Sign in'),
      'protocol_error',
      /HTTP 200 with text\/html, not MCP: "alert\(1\) Sign in"/,
    ],
  ])('%s', async (_what, listener, code, message) => {
    await using server = await serve(listener)
    await expect(open(server.url)).rejects.toMatchObject({ code, message })
  })

  it('is nowhere', async () => {
    await expect(open('http://127.0.0.1:9/mcp')).rejects.toMatchObject({
      code: 'start_failed',
      message: /127\.0\.0\.1:9 cannot be reached/,
    })
  })

  it.each([
    'http://127.0.0.1:9/',
    'http://2130706433:9/',
    'http://[::ffff:127.0.0.1]:9/',
    'http://localhost:9/',
  ])('is not allowed: %s', async (url) =>
    expect(open(url, false)).rejects.toMatchObject({ code: 'address_not_allowed' }),
  )

  it('sends to another host', async () => {
    await using other = await serve((_request, response) => response.writeHead(200).end())
    await using server = await serve((_request, response) =>
      response.writeHead(307, { location: other.url }).end(),
    )
    const error = await open(server.url).catch((thrown: Error) => thrown)
    expect(error).toMatchObject({ code: expect.stringMatching(/protocol_error|start_failed/) })
  })
})

// @case B42: sessions that the server forgot
describe('a server that forgot the session, or went away', () => {
  it.each<[string, RequestListener, RegExp]>([
    ['404', (_request, response) => response.writeHead(404).end(), /does not know this session/],
    ['a broken line', (request) => request.socket.destroy(), /cannot be reached/],
  ])('loses the call at once and asks for a new connection: %s', async (_what, onCall, reason) => {
    await using server = await serve(legacy(onCall))
    const closed = Promise.withResolvers<string>()
    await using connection = await open(server.url, true, closed.resolve)
    await expect(call(connection)).rejects.toMatchObject({ code: 'connection_lost', message: reason })
    expect(await closed.promise).toMatch(reason)
  })
})
