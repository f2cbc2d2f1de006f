import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@althing/local-stack/port'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { until } from '../harness/until.ts'

const MAIN = join(import.meta.dirname, '../../libs/local-stack/src/main.ts')
let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'althing-start-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

interface Start {
  readonly child: ChildProcess
  readonly ended: Promise<number | null>
  output(): string
}

function start(env: Record<string, string>): Start {
  const child = spawn(process.execPath, [MAIN], {
    env: { ...process.env, ALTHING_DATA: join(folder, 'data'), ...env },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)))
  return { child, ended, output: () => output }
}

function left(): string[] {
  const { stdout } = spawnSync('pgrep', ['-fa', folder], { encoding: 'utf8' })
  return stdout.split('\n').filter((line) => line.includes(folder) && !line.includes('pgrep'))
}

// @requirement R15
it('is ready, ends with code 0 and no process left, and finds its data again', async () => {
  const port = String(await freePort())
  const first = start({ PORT: port })
  await until(
    'it is ready',
    () => first.output().includes(`Althing is ready at http://127.0.0.1:${port}`),
    90_000,
  )
  await until('it says how to begin', () => first.output().includes(`http://127.0.0.1:${port}/setup`))
  const account = { email: 'ada@example.test', name: 'Ada', password: 'correct horse battery' }
  const made = await fetch(`http://127.0.0.1:${port}/api/setup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: `http://127.0.0.1:${port}` },
    body: JSON.stringify(account),
  })
  expect(made.status).toBe(201)

  // A second start on the same data while this one runs is one sentence.
  const twice = start({ PORT: String(await freePort()) })
  expect(await twice.ended).toBe(1)
  expect(twice.output()).toMatch(/runs already on the data folder/)

  first.child.kill('SIGINT')
  expect(await first.ended).toBe(0)
  expect(left()).toEqual([])

  const second = start({ PORT: port })
  await until('it is ready again', () => second.output().includes('Althing is ready'), 90_000)
  expect(second.output()).not.toContain('/setup')
  second.child.kill('SIGTERM')
  expect(await second.ended).toBe(0)
  expect(left()).toEqual([])
}, 200_000)

it('says in one sentence that the port is taken', async () => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  const { ended, output } = start({ PORT: String(port) })
  expect(await ended).toBe(1)
  server.close()
  expect(output().trim().split('\n').at(-1)).toMatch(new RegExp(`^Port ${port} on 127.0.0.1 is taken\\.`))
  expect(left()).toEqual([])
})

it('says in one sentence that the data folder cannot be written', async () => {
  writeFileSync(join(folder, 'file'), '')
  const { ended, output } = start({
    PORT: String(await freePort()),
    ALTHING_DATA: join(folder, 'file', 'data'),
  })
  expect(await ended).toBe(1)
  expect(output().trim().split('\n').at(-1)).toMatch(/^The data folder .* cannot be written/)
})

it('says in one sentence that the data is of another Postgres, and stops what it had started', async () => {
  mkdirSync(join(folder, 'data', 'postgres'), { recursive: true })
  writeFileSync(join(folder, 'data', 'postgres', 'PG_VERSION'), '9\n')
  const { ended, output } = start({ PORT: String(await freePort()) })
  expect(await ended).toBe(1)
  expect(output().trim().split('\n').at(-1)).toMatch(/was made by Postgres 9; this is 18/)
  expect(left()).toEqual([])
})

it('says in one sentence that there is no NATS to be had', async () => {
  const { ended, output } = start({
    PORT: String(await freePort()),
    NATS_SERVER_BIN: join(folder, 'no-nats'),
  })
  expect(await ended).toBe(1)
  expect(output().trim().split('\n').at(-1)).toMatch(/NATS_SERVER_BIN names .*, which is not a nats-server/)
  expect(left()).toEqual([])
})
