import { createServer } from 'node:net'
import { LocalFault } from './fault.ts'

/** A port of the loopback interface that nobody uses now. */
export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  await new Promise<void>((resolve) => server.close(() => resolve()))
  if (address === null || typeof address === 'string') throw new Error('the system gave no port')
  return address.port
}

/** Throws a LocalFault that names the port when somebody listens there already. */
export async function mustBeFree(host: string, port: number): Promise<void> {
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') {
        reject(
          new LocalFault(
            `Port ${port} on ${host} is taken. Stop what uses it, or choose another: PORT=${port + 1} make start`,
          ),
        )
      } else if (error.code === 'EACCES') {
        reject(
          new LocalFault(
            `Port ${port} may not be used by this account. Choose one above 1023: PORT=8080 make start`,
          ),
        )
      } else reject(error)
    })
    server.listen(port, host, () => server.close(() => resolve()))
  })
}
