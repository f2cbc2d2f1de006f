import { cpus } from 'node:os'
import { openHouse } from '../harness/house.ts'
import { Person } from '../harness/person.ts'
import { notifier } from '../harness/servers.ts'
import { until } from '../harness/until.ts'
import { measure } from './load.ts'
import { McpLoad } from './mcp-load.ts'
import { type Peer, startPeers } from './peers.ts'
import { cpuMs, residentMib } from './processes.ts'

/**
 * `make bench-peers`: one server behind other gateways and behind `/mcp/{server}`, in turns of one run. The ratios are
 * to the best of the others in the same round. Arguments: rounds (5), calls of the memory run (200000, 0: none).
 */
const ROUNDS = Number(process.argv[2] ?? 5)
const LONG_RUN = Number(process.argv[3] ?? 200_000)
const CALLS = 2_000
const BIG_CALLS = 60
const BIG = { bytes: 1_048_576 }

interface Round {
  readonly p50: number
  readonly perSecond: number
  readonly big: number
  readonly cpu: number
  readonly list: number
}

await using house = await openHouse({ durable: true, env: { LOG_LEVEL: 'error' } })
const ada = await Person.first(house.url)
await ada.register(notifier('bench'))
const { headers } = await ada.withKey('bench')
const pids = [
  house.stack.replicas('web')[0]?.pid,
  house.stack.replicas('mcp-gateway')[0]?.pid,
  house.stack.infrastructure('nats').pid,
].filter((pid) => pid !== undefined)
await using others = await startPeers()
const althing: Peer = { name: 'althing', url: `${house.url}/mcp/bench`, pids }

async function round({ name, url, pids: roots }: Peer): Promise<Round> {
  await using load = new McpLoad(url, name === 'althing' ? headers : {})
  await load.open()
  const echo = () => load.call('echo', { text: 'hello world' }).then(() => {})
  const { p50 } = await measure(echo, 1, CALLS)
  const before = cpuMs(roots)
  const { perSecond } = await measure(echo, 64, CALLS * 2)
  const cpu = ((cpuMs(roots) - before) * 1000) / (CALLS * 2)
  const big = await measure(() => load.call('big', BIG).then(() => {}), 4, BIG_CALLS)
  const list = await measure(() => load.request('tools/list', {}).then(() => {}), 1, 200)
  return { p50, perSecond, big: big.perSecond, cpu, list: list.p50 }
}

const rounds: Map<string, Round>[] = []
for (let index = 0; index < ROUNDS; index++) {
  const all = [althing, ...others.peers]
  const figures = new Map<string, Round>()
  for (const peer of index % 2 === 0 ? all : all.reverse()) figures.set(peer.name, await round(peer))
  rounds.push(figures)
}

const middle = (values: number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
const of = (name: string, member: keyof Round) =>
  middle(rounds.map((one) => one.get(name)?.[member] ?? Number.NaN))
/** The median over the rounds of ours against the best of the others in that round. */
const against = (member: keyof Round, best: (...values: number[]) => number) =>
  middle(
    rounds.map((one) => {
      const theirs = others.peers.map(({ name }) => one.get(name)?.[member] ?? Number.NaN)
      return (one.get('althing')?.[member] ?? Number.NaN) / best(...theirs)
    }),
  ).toFixed(2)

console.log(`\n${cpus().length} x ${cpus()[0]?.model}, Node ${process.version}, ${ROUNDS} rounds, medians\n`)
console.log('| | p50 of one call | calls/s, 64 in flight | 1 MiB results/s | CPU of a call | tools/list |')
console.log('|---|---|---|---|---|---|')
for (const { name } of [althing, ...others.peers]) {
  const cells = [
    `${of(name, 'p50').toFixed(2)} ms`,
    Math.round(of(name, 'perSecond')).toLocaleString('en'),
    of(name, 'big').toFixed(0),
    `${of(name, 'cpu').toFixed(0)} us`,
    `${of(name, 'list').toFixed(2)} ms`,
  ]
  console.log(`| ${name} | ${cells.join(' | ')} |`)
}
if (others.peers.length > 0) {
  const ratios = [
    against('p50', Math.min),
    against('perSecond', Math.max),
    against('big', Math.max),
    against('cpu', Math.min),
    against('list', Math.min),
  ]
  console.log(`| althing to the best other | ${ratios.map((ratio) => `${ratio} x`).join(' | ')} |`)
}
await crowd()
await killed()
await many()
await longRun()

/** A thousand calls at once. */
async function crowd(): Promise<void> {
  await using load = new McpLoad(althing.url, headers)
  await load.open()
  const began = performance.now()
  const ended = await Promise.allSettled(Array.from({ length: 1000 }, () => load.call('echo', { text: 'x' })))
  const errors = ended.filter(({ status }) => status === 'rejected').length
  console.log(`\n1,000 calls at once: ${errors} errors, ${Math.round(performance.now() - began)} ms`)
}

/** The server is killed in mid-call: how soon the call fails, and how soon the same session is served again. */
async function killed(): Promise<void> {
  await using load = new McpLoad(althing.url, headers)
  await load.open()
  await new Promise((resolve) => setTimeout(resolve, 3_000))
  const { pid } = JSON.parse(String((await ada.call('bench', 'whoami')).body.result)) as { pid: number }
  const calling = load.call('slow', { ms: 60_000 }).catch((error: Error) => error.message)
  await until('the call is there', async () =>
    String((await ada.send('GET', '/api/servers/bench/log')).body).includes('slow started'),
  )
  const began = performance.now()
  process.kill(pid, 'SIGKILL')
  await calling
  const failed = performance.now() - began
  await until('the session is served', () => load.call('echo', { text: 'x' }).then(() => true))
  console.log(
    `The server is killed: error after ${Math.round(failed)} ms, the same session served again after ${Math.round(performance.now() - began)} ms`,
  )
}

/** Fifty servers of twenty tools, listed as one. */
async function many(): Promise<void> {
  for (let index = 0; index < 50; index++)
    await ada.register({ ...notifier(`many-${index}`), env: { TOOLS: '20' } })
  await using load = new McpLoad(`${house.url}/mcp`, headers)
  await load.open()
  const { p50 } = await measure(() => load.request('tools/list', {}).then(() => {}), 1, 300)
  const bytes = await load.request('tools/list', {})
  console.log(`Tools of 51 servers listed: ${p50.toFixed(2)} ms, ${Math.round(bytes / 1024)} KiB`)
  for (let index = 0; index < 50; index++) await ada.send('DELETE', `/api/servers/many-${index}`)
}

/** Whether memory grows with the number of calls: MiB of the gateway at each tenth. */
async function longRun(): Promise<void> {
  if (LONG_RUN === 0) return
  await using load = new McpLoad(althing.url, headers)
  await load.open()
  const sizes: number[] = []
  for (let tenth = 0; tenth < 10; tenth++) {
    await measure(() => load.call('echo', { text: 'x' }).then(() => {}), 64, LONG_RUN / 10)
    sizes.push(residentMib(house.stack.replicas('mcp-gateway')[0]?.pid))
  }
  console.log(`Gateway over ${LONG_RUN.toLocaleString('en')} calls, MiB at each tenth: ${sizes.join(', ')}`)
}
