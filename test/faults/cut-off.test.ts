import { connect, createServer, type Socket } from 'node:net'
import * as contracts from '@althing/protocol/bus/gateway'
import { expect, it } from 'vitest'
import { ada, GatewayBench, isAlive, notifier } from '../harness/gateway.ts'
import { until } from '../harness/until.ts'

/** A way to a port that can fall silent: nothing is refused, nothing passes. */
async function openWay(port: number) {
  const sockets: Socket[] = []
  const server = createServer((client) => {
    const far = connect(port, '127.0.0.1')
    for (const socket of [client, far]) socket.on('error', () => {})
    sockets.push(client, far)
    client.pipe(far).pipe(client)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    port: address !== null && typeof address === 'object' ? address.port : 0,
    fallSilent: () => {
      for (const socket of sockets) socket.unpipe().pause()
    },
    [Symbol.dispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

it('ends its processes before another may own them, though the database does not even answer', async () => {
  await using bench = await GatewayBench.open()
  const { DATABASE_URL = '' } = await bench.stack.envOf('mcp-gateway')
  const url = new URL(DATABASE_URL)
  using way = await openWay(Number(url.port))
  url.hostname = '127.0.0.1'
  url.port = String(way.port)
  const lease = { ALTHING_LEASE_MS: '2000', ALTHING_LEASE_HEARTBEAT_MS: '400' }
  const cut = await bench.gateway({ ...lease, DATABASE_URL: url.href }, 'here')
  const names = Array.from({ length: 8 }, (_, index) => `server-${index}`)
  for (const name of names)
    await bench.web.call(contracts.registerServer, { actor: ada, registration: notifier(name) })
  // Of another host, so that it cannot end the processes itself.
  await using _other = await bench.gateway(lease, 'there')
  const running = async (host: string) => {
    const asked = `select pid from gateway.connections where state = 'running' and host = $1`
    return (await bench.admin.query<{ pid: number }>(asked, [host])).rows.map((row) => row.pid)
  }
  await until('the other has its share', async () => {
    const [here, there] = [await running('here'), await running('there')]
    return (there.length > 0 && here.length + there.length === names.length) || undefined
  })
  const mine = await running('here')
  expect(mine.length).toBeGreaterThan(0)

  way.fallSilent()
  await until('the other owns all', async () => (await running('there')).length === names.length || undefined)
  expect(mine.filter(isAlive)).toEqual([])
  way[Symbol.dispose]()
  await cut[Symbol.asyncDispose]()
}, 60_000)
