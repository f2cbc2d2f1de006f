import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'
import { LocalFault } from './fault.ts'

/** Below what systems give to outgoing connections, so that none of those takes a port before it is used. */
const LOWEST = 10_240
const HIGHEST = 32_767

const given = new Set<number>()

/** A port of the loopback interface that nobody uses now, and that this process was not given before. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < 1000; tries++) {
    const port = randomInt(LOWEST, HIGHEST + 1)
    if (given.has(port) || (await faultOf('127.0.0.1', port)) !== undefined) continue
    given.add(port)
    return port
  }
  throw new Error(`no port from ${LOWEST} to ${HIGHEST} is free`)
}

/** Throws a LocalFault that names the port when somebody listens there already. */
export async function mustBeFree(host: string, port: number): Promise<void> {
  const fault = await faultOf(host, port)
  if (fault?.code === 'EADDRINUSE')
    throw new LocalFault(
      `Port ${port} on ${host} is taken. Stop what uses it, or choose another: PORT=${port + 1} make start`,
    )
  if (fault?.code === 'EACCES')
    throw new LocalFault(
      `Port ${port} may not be used by this account. Choose one above 1023: PORT=8080 make start`,
    )
  if (fault !== undefined) throw fault
}

/** Why nobody can listen there now; undefined: somebody can. */
function faultOf(host: string, port: number): Promise<NodeJS.ErrnoException | undefined> {
  const server = createServer()
  return new Promise((resolve) => {
    server.once('error', resolve)
    server.listen(port, host, () => server.close(() => resolve(undefined)))
  })
}
