import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import {
  createMcpHandler,
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  originValidationResponse,
} from '@modelcontextprotocol/server'
import { createDemo } from './server.ts'

/** Streamable HTTP on loopback, in the protocol version 2026-07-28, which can ask without a session. */
export function listenHttp(port: number): Server {
  const handler = createMcpHandler(createDemo)
  const server = createServer((incoming, outgoing) => {
    void answer(incoming, outgoing).catch(() => outgoing.destroy())
  })
  async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const request = toRequest(incoming)
    const refused =
      hostHeaderValidationResponse(request, localhostAllowedHostnames()) ??
      originValidationResponse(request, localhostAllowedOrigins())
    const response = refused ?? (await handler.fetch(request))
    outgoing.writeHead(response.status, Object.fromEntries(response.headers))
    if (response.body === null) return void outgoing.end()
    const body = Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0])
    outgoing.once('close', () => body.destroy())
    for await (const part of body) outgoing.write(part)
    outgoing.end()
  }
  return server.listen(port, '127.0.0.1')
}

function toRequest(incoming: IncomingMessage): Request {
  const { method = 'GET', url = '/', headers } = incoming
  const given = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  )
  const hasBody = method !== 'GET' && method !== 'HEAD'
  return new Request(`http://${headers.host ?? 'localhost'}${url}`, {
    method,
    headers: given,
    ...(hasBody ? { body: Readable.toWeb(incoming) as never, duplex: 'half' } : {}),
  })
}
