import { randomInt } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { familyOf, look, MARKER } from './descendants.ts'
import { StdioTransport } from './stdio.ts'

const BROOD = join(import.meta.dirname, '../../../../test/fixtures/brood.ts')
const linux = process.platform === 'linux'

/** Those with the tag in their command line: told by the kernel, not by what is tested. */
function tagged(tag: string): string[] {
  return readdirSync('/proc')
    .filter((name) => Number.isInteger(Number(name)) && Number(name) !== process.pid)
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ')
      } catch {
        return ''
      }
    })
    .filter((line) => line.includes(tag))
}

async function start(habits: readonly string[], graceMs = 150) {
  const tag = String(randomInt(1e9, 1e10))
  const log: string[] = []
  const transport = new StdioTransport({
    command: process.execPath,
    args: [BROOD, tag, ...habits],
    env: { PATH: '/usr/bin:/bin' },
    maxMessageBytes: 100_000,
    onLog: ({ text }) => log.push(text),
    graceMs,
  })
  const closed = Promise.withResolvers<void>()
  transport.onclose = () => closed.resolve()
  await transport.start()
  const sleeps = habits.filter((habit) => !['stubborn', 'mute'].includes(habit)).length
  const nap = `sleep 1000.${tag}`
  while (tagged(tag).filter((line) => line.startsWith(nap)).length < sleeps) {
    expect(transport.exitReason).toBeUndefined()
    await wait(20)
  }
  return { transport, tag, closed: closed.promise, log }
}

it
  .runIf(linux)
  .each([
    ['plain'],
    ['detached'],
    ['double-fork'],
    ['cleared'],
    ['cleared-detached'],
    ['stubborn', 'plain', 'detached', 'double-fork', 'cleared', 'cleared-detached'],
  ])('closing leaves nothing of a server with %s', async (...habits) => {
  const { transport, tag, log } = await start(habits)
  await transport.close()
  expect(tagged(tag)).toEqual([])
  expect(log).not.toContain('some of its processes cannot be ended')
})

it.runIf(linux)('a server that leaves by itself takes all that it started along', async () => {
  const { transport, tag, closed } = await start(['plain', 'detached', 'double-fork', 'cleared'])
  await transport.send({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'leave', arguments: {} },
  })
  await closed
  await transport.close()
  expect(tagged(tag)).toEqual([])
  expect(transport.exitReason).toBe('exited with code 0')
})

it.runIf(linux)('a shell that waits for the real server is ended with it', async () => {
  const tag = String(randomInt(1e9, 1e10))
  const transport = new StdioTransport({
    command: 'sh',
    args: ['-c', `${process.execPath} ${BROOD} ${tag} stubborn detached & wait`],
    env: { PATH: '/usr/bin:/bin' },
    maxMessageBytes: 100_000,
    onLog: () => {},
    graceMs: 100,
  })
  await transport.start()
  while (!tagged(tag).some((line) => line.startsWith(`sleep 1000.${tag}`))) await wait(20)
  await transport.close()
  expect(tagged(tag)).toEqual([])
})

it.runIf(linux)(
  'twenty stubborn servers are ended side by side, and hold up no other',
  async () => {
    const graceMs = 500
    const stubborn = await Promise.all(
      Array.from({ length: 20 }, () => start(['stubborn', 'mute', 'detached'], graceMs)),
    )
    const obedient = await start([], graceMs)
    const gone: string[] = []
    const began = performance.now()
    const close = async ({ transport, tag }: (typeof stubborn)[number]) => {
      await transport.close()
      gone.push(tag)
    }
    await Promise.all([...stubborn, obedient].map(close))
    expect(gone[0]).toBe(obedient.tag)
    // One after the other they would take twenty ladders of two graces each.
    expect(performance.now() - began).toBeLessThan(20 * graceMs)
    for (const { tag } of stubborn) expect(tagged(tag)).toEqual([])
  },
  60_000,
)

it.runIf(linux)('a look tells the marker and the family of a process', async () => {
  const { transport, tag } = await start(['double-fork'])
  const leader = transport.identity?.pid
  const seen = await look()
  const own = seen.find((one) => one.pid === leader)
  expect(own).toMatchObject({ parent: process.pid, group: leader, session: leader })
  expect(seen.filter((one) => one.marker === own?.marker).length).toBeGreaterThanOrEqual(2)
  expect(familyOf(seen, (one) => one.pid === process.pid)).toEqual([])
  expect(MARKER).toBe('ALTHING_CHILD')
  await transport.close()
  expect(tagged(tag)).toEqual([])
})
