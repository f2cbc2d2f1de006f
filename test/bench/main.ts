import { cpus } from 'node:os'
import { SERVICES } from '@althing/protocol/define'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { Pool } from 'undici'
import { openHouse } from '../harness/house.ts'
import { Person } from '../harness/person.ts'
import { NOTIFIER, notifier } from '../harness/servers.ts'
import { type Call, type Figures, measure } from './load.ts'
import { residentMib } from './processes.ts'
import { openRawPipes } from './raw-pipes.ts'

/** `make bench`: the same call by three ways in one run, and what the services weigh when nothing happens. */
const IN_FLIGHT = [1, 16, 64] as const
const CALLS = 3_000

await using raw = await openRawPipes()
const sdk = new Client({ name: 'bench', version: '1' })
await sdk.connect(new StdioClientTransport({ command: process.execPath, args: [NOTIFIER], stderr: 'ignore' }))

await using house = await openHouse()
const ada = await Person.first(house.url)
await ada.register(notifier('bench'))
const memory = SERVICES.map(
  (service) => [service, residentMib(house.stack.replicas(service)[0]?.pid)] as const,
)
const bus = residentMib(house.stack.infrastructure('nats').pid)
const keyed = await ada.withKey('bench')
const pool = new Pool(house.url, { connections: 64, pipelining: 1 })

const ways: readonly (readonly [string, Call])[] = [
  ['raw pipes to the server', raw.call],
  [
    'official SDK client on it',
    () => sdk.callTool({ name: 'echo', arguments: { text: 'hello' } }).then(() => {}),
  ],
  ['POST .../call: web, NATS, gateway', callApi],
]

async function callApi(): Promise<void> {
  const { statusCode, body } = await pool.request({
    method: 'POST',
    path: '/api/servers/bench/tools/echo/call',
    headers: { 'content-type': 'application/json', ...keyed.headers },
    body: '{"arguments":{"text":"hello"}}',
  })
  await body.arrayBuffer()
  if (statusCode !== 200) throw new Error(`the call answered ${statusCode}`)
}

function cell({ p50, perSecond }: Figures): string {
  return `${p50.toFixed(2)} ms, ${Math.round(perSecond).toLocaleString('en')}/s`
}

console.log(
  `${cpus().length} x ${cpus()[0]?.model}, Node ${process.version}, ${CALLS} calls each; p50 and calls a second\n`,
)
console.log(`| | ${IN_FLIGHT.map((count) => `${count} in flight`).join(' | ')} |`)
console.log(`|---|${IN_FLIGHT.map(() => '---').join('|')}|`)
for (const [name, call] of ways) {
  const cells: string[] = []
  for (const count of IN_FLIGHT) cells.push(cell(await measure(call, count, CALLS)))
  console.log(`| ${name} | ${cells.join(' | ')} |`)
}
console.log(
  `\nIdle memory: ${[...memory, ['nats-server', bus] as const].map(([name, mib]) => `${name} ${mib} MiB`).join(', ')}`,
)
await pool.close()
await sdk.close()
