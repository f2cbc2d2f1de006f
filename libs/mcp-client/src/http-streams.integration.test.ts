import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { connect } from './connect.ts'
import type { Connection } from './connection.ts'
import { readResult } from './result.ts'

type Stream = (request: IncomingMessage, response: ServerResponse, id: unknown) => void

interface Server extends AsyncDisposable {
  readonly connection: Connection
  readonly closed: string[]
  readonly notes: string[]
}

/** A server of the older era whose answer to a call, and whose listening stream, are the test's own. */
async function serving(
  onCall: Stream,
  onListen: Stream = (_, response) => void response.writeHead(405).end(),
): Promise<Server> {
  const server = createServer(async (request, response) => {
    if (request.method !== 'POST') return onListen(request, response, undefined)
    let text = ''
    for await (const part of request) text += part
    const { id, method } = JSON.parse(text)
    const json = (body: object) =>
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ jsonrpc: '2.0', id, ...body }))
    if (id === undefined) response.writeHead(202).end()
    else if (method === 'initialize') {
      const capabilities = { tools: {} }
      json({
        result: { protocolVersion: '2025-11-25', capabilities, serverInfo: { name: 's', version: '1' } },
      })
    } else if (method === 'tools/call') onCall(request, response, id)
    else json({ error: { code: -32601, message: 'Method not found' } })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no address')
  const closed: string[] = []
  const notes: string[] = []
  const connection = await connect({
    target: {
      kind: 'http',
      url: new URL(`http://127.0.0.1:${address.port}/mcp`),
      headers: {},
      allowSse: false,
      policy: { loopback: true, private: true },
    },
    clientInfo: { name: 'test', version: '1' },
    startTimeoutMs: 5000,
    probeTimeoutMs: 1000,
    maxMessageBytes: 200_000,
    graceMs: 200,
    onLog: () => {},
    onNotification: (method) => notes.push(method),
    onToolsChanged: async () => {},
    onClose: (reason) => closed.push(reason),
    signal: new AbortController().signal,
  })
  return {
    connection,
    closed,
    notes,
    async [Symbol.asyncDispose]() {
      await connection.close()
      server.closeAllConnections()
      server.close()
    },
  }
}

async function call({ connection }: Server): Promise<unknown> {
  const { result } = await connection.request({
    method: 'tools/call',
    params: { name: 'x', arguments: {} },
    caller: 'ada',
    timeoutMs: 5000,
    capMs: 60_000,
    signal: new AbortController().signal,
  })
  return readResult(result).value
}

const answer = (id: unknown) =>
  JSON.stringify({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: '漢é' }] } })

function stream(response: ServerResponse): ServerResponse {
  return response.writeHead(200, { 'content-type': 'text/event-stream' })
}

// @case B47: every way in which a stream of events may be written
it.each<[string, (json: string) => (string | Buffer)[]]>([
  [
    'comments and CRLF',
    (json) => [': hi\r\n\r\n', 'id: 1\r\ndata:\r\n\r\n', `event: message\r\ndata: ${json}\r\n\r\n`],
  ],
  ['a message in two data lines', (json) => [`data: ${json.slice(0, 17)}\ndata: ${json.slice(17)}\n\n`]],
  [
    'other events and heartbeats before it',
    (json) => [
      'event: ping\ndata: {}\n\n',
      'data: {"type":"heartbeat"}\n\n',
      'retry: 0\n\n',
      `data: ${json}\n\n`,
    ],
  ],
  [
    'a character cut in two',
    (json) => {
      const bytes = Buffer.from(`data: ${json}\n\n`)
      const at = bytes.indexOf('漢') + 1
      return [bytes.subarray(0, at), bytes.subarray(at)]
    },
  ],
])('reads %s', async (_what, write) => {
  await using server = await serving(async (_request, response, id) => {
    stream(response)
    for (const part of write(answer(id))) {
      response.write(part)
      await wait(10)
    }
    response.end()
  })
  expect(await call(server)).toBe('漢é')
})

it('fails at once when the last event is not ended', async () => {
  await using server = await serving(
    (_request, response, id) => void stream(response).end(`data: ${answer(id)}\n`),
  )
  const began = performance.now()
  await expect(call(server)).rejects.toMatchObject({ code: 'protocol_error' })
  expect(performance.now() - began).toBeLessThan(2000)
})

// @case B49: one stream never goes on where another one ended
// @case B51: a listening stream that is cut comes back quietly, and nothing else is touched
it('opens a listening stream that was cut again, from its own last event, while calls go on', async () => {
  const listens: (string | undefined)[] = []
  let push: (() => void) | undefined
  await using server = await serving(
    (_request, response, id) => void stream(response).end(`id: p1\ndata: ${answer(id)}\n\n`),
    (request, response) => {
      listens.push(request.headers['last-event-id'] as string | undefined)
      if (listens.length === 2) return void response.writeHead(409).end()
      stream(response).write(`retry: 20\nid: g${listens.length}\ndata:\n\n`)
      if (listens.length === 1) setTimeout(() => response.destroy(), 100)
      else push = () => response.write('data: {"jsonrpc":"2.0","method":"event/x"}\n\n')
    },
  )
  expect(await call(server)).toBe('漢é')
  while (push === undefined) await wait(20)
  expect(await call(server)).toBe('漢é')
  push()
  while (server.notes.length === 0) await wait(20)
  expect(server.notes).toEqual(['event/x'])
  expect(listens.slice(1).every((id) => id === 'g1')).toBe(true)
  expect(listens[0]).toBeUndefined()
  expect(server.closed).toEqual([])
})
