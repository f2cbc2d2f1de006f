import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import { describe, expect, it, onTestFinished } from 'vitest'
import { guardedAgent } from './address-guard.ts'
import { undiciFetch } from './undici-fetch.ts'

interface Seen {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** A server that redirects as told, and the requests that reach its last address. */
async function redirecting(status: number, locationOf: (origin: string, path: string) => string | undefined) {
  const seen: Seen[] = []
  const paths: string[] = []
  const server: Server = createServer(async (request, response) => {
    let body = ''
    for await (const part of request) body += part
    const path = request.url ?? ''
    paths.push(path)
    if (path === '/mcp/') {
      seen.push({ path, headers: request.headers, body })
      return response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    }
    const location = locationOf(origin, path)
    return response.writeHead(status, location === undefined ? {} : { location }).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const origin = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
  const dispatcher = guardedAgent({ loopback: true, private: false })
  onTestFinished(async () => {
    await dispatcher.destroy()
    server.closeAllConnections()
    server.close()
  })
  const fetch = undiciFetch({ dispatcher, maxMessageBytes: 100_000, onFault: () => {} })
  const post = () =>
    fetch(`${origin}/mcp`, {
      method: 'POST',
      headers: { authorization: 'Bearer x', 'mcp-session-id': 's', 'content-type': 'application/json' },
      body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
    })
  return { post, seen, paths, origin }
}

// @case B50: redirects
describe('a redirect within the origin', () => {
  it.each([307, 308])('keeps method, headers and body, and is remembered: %i', async (status) => {
    const { post, seen, paths } = await redirecting(status, () => '/mcp/')
    await (await post()).text()
    await (await post()).text()
    expect(seen).toHaveLength(2)
    expect(seen[0]).toMatchObject({
      headers: { authorization: 'Bearer x', 'mcp-session-id': 's' },
      body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
    })
    expect(paths).toEqual(['/mcp', '/mcp/', '/mcp/'])
  })

  it('is followed five times and no more', async () => {
    const { post, paths } = await redirecting(307, (_origin, path) => `${path}x`)
    await expect(post()).rejects.toMatchObject({ code: 'protocol_error', message: /more than 5 times/ })
    expect(paths).toHaveLength(6)
  })
})

// @requirement R47
describe('a redirect that is not followed', () => {
  it.each<[string, number, (origin: string) => string | undefined, RegExp]>([
    ['to another host', 307, () => 'http://169.254.169.254/latest?key=1', /169\.254\.169\.254\/latest,/],
    ['to another port', 307, () => 'http://127.0.0.1:4222/', /127\.0\.0\.1:4222/],
    ['to another scheme', 308, (origin) => `${origin.replace('http', 'https')}/mcp/`, /https:\/\/127/],
    ['to a file', 307, () => 'file:///etc/passwd', /file:\/etc\/passwd/],
    ['with a user in it', 307, (origin) => `${origin.replace('//', '//me:secret@')}/mcp/`, /not followed/],
    ['that would make a GET of it', 302, () => '/mcp/', /loses the request/],
    ['to nowhere', 307, () => undefined, /to nowhere/],
  ])('%s is refused with its target', async (_what, status, location, message) => {
    const { post, seen } = await redirecting(status, location)
    const error = await post().catch((thrown: Error) => thrown)
    expect(error).toMatchObject({ code: 'protocol_error', message })
    expect((error as Error).message).not.toMatch(/secret|key=1/)
    expect(seen).toEqual([])
  })
})
