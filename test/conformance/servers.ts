import { createServer, request } from 'node:http'
import { join } from 'node:path'
import { openHouse } from '../harness/house.ts'
import { Person } from '../harness/person.ts'
import type { Revision } from './suite.ts'

const FIXTURE = join(import.meta.dirname, '../fixtures/conformance-server.ts')
const ERAS: Readonly<Record<Revision, string>> = { '2026-07-28': 'modern', '2025-11-25': 'legacy' }

/** The whole product with the suite's fixtures registered, behind a door that adds the API key the suite cannot send. */
export async function openServers() {
  await using stack = new AsyncDisposableStack()
  const house = stack.use(await openHouse({ env: { LOG_LEVEL: 'error' } }))
  const ada = await Person.first(house.url)
  for (const era of Object.values(ERAS)) {
    const args = [FIXTURE, era]
    const registration = { name: era, transport: 'stdio', command: process.execPath, args, relays: true }
    const { body } = await ada.register(registration)
    if (body.state !== 'running')
      throw new Error(`the ${era} fixture is ${body.state}: ${body.error?.detail}`)
  }
  const key = await ada.withKey('conformance')
  const door = stack.use(await openDoor(house.url, key.headers))
  const running = stack.move()
  return {
    urlOf: (revision: Revision) => `${door.url}/mcp/${ERAS[revision]}`,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

/** Passes everything on as it is, Host and Origin too, and adds headers. */
async function openDoor(to: string, added: Readonly<Record<string, string>>) {
  const { hostname, port } = new URL(to)
  const server = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, ...added }
    const passed = request(
      { hostname, port, path: incoming.url, method: incoming.method, headers, setHost: false },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
        outgoing.flushHeaders()
        answer.pipe(outgoing)
      },
    )
    passed.on('error', () => outgoing.destroy())
    outgoing.on('close', () => passed.destroy())
    incoming.pipe(passed)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no address')
  return {
    url: `http://127.0.0.1:${address.port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}
