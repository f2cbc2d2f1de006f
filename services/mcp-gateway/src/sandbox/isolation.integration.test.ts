import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from '@althing/mcp-client/connect'
import { readResult } from '@althing/mcp-client/result'
import type { Target } from '@althing/mcp-client/target'
import { afterAll, expect, it } from 'vitest'
import { EVERYTHING, NOTIFIER } from '../../../../test/harness/servers.ts'
import { Isolation, type IsolationPolicy } from './isolation.ts'

type Stdio = Extract<Target, { kind: 'stdio' }>

const { signal } = new AbortController()
const PATH = '/usr/local/bin:/usr/bin:/bin'
const room = mkdtempSync(join(tmpdir(), 'althing-isolation-'))
const data = join(room, 'data')
mkdirSync(data)
writeFileSync(join(data, 'master-key'), 'PLANTED')
afterAll(() => rmSync(room, { recursive: true, force: true }))

const policy: IsolationPolicy = {
  level: 'process',
  network: true,
  readable: [],
  writable: [],
  limits: { processes: 512, openFiles: 4096, memoryBytes: 4_294_967_296 },
  data,
  path: PATH,
  home: '/home/nobody',
}
const host = await Isolation.open(policy)
const boxes = host.best === 'sandbox'
const root = process.getuid?.() === 0
const unless = boxes ? '' : ` (skipped: ${host.whyNoSandbox})`

function sh(script: string, more: Partial<Stdio> = {}): Stdio {
  return { kind: 'stdio', command: 'sh', args: ['-c', script], env: { PATH, HOME: '/home/nobody' }, ...more }
}

/** What a program says when it is started as it would be. */
async function said(target: Stdio, level: 'process' | 'sandbox', changes: Partial<IsolationPolicy> = {}) {
  const isolation = await Isolation.open({ ...policy, ...changes })
  const { target: started } = isolation.apply(target, level, 'test/0-1-1/c/00', 'server/shared')
  if (started.kind !== 'stdio') throw new Error('not a program')
  const { command, args, env, cwd } = started
  return execFileSync(command, args, {
    env: { ...env },
    encoding: 'utf8',
    stdio: ['pipe', 'pipe', 'pipe'],
    cwd,
  })
}

async function works(target: Stdio, level: 'process' | 'sandbox', tool: string) {
  const isolated = host.apply(target, level, 'test/0-1-1/c/00', 'server/shared')
  const log: string[] = []
  await using connection = await connect({
    target: isolated.target,
    clientInfo: { name: 'test', version: '1' },
    startTimeoutMs: 15_000,
    probeTimeoutMs: 1000,
    maxMessageBytes: 1_000_000,
    graceMs: 300,
    onLog: ({ text }) => log.push(text),
    onNotification: () => {},
    onToolsChanged: async () => {},
    onClose: () => {},
    signal,
  }).catch((error) => Promise.reject(new Error(`${error.message}: ${log.join('\n')}`)))
  const { result } = await connection.request({
    method: 'tools/call',
    params: { name: tool, arguments: { text: 'hi', message: 'hi' } },
    caller: 'ada',
    timeoutMs: 5000,
    capMs: 5000,
    signal,
  })
  return String(readResult(result).value)
}

const node = (script: string, ...args: string[]): Stdio => ({
  kind: 'stdio',
  command: process.execPath,
  args: [script, ...args],
  env: { PATH, HOME: '/home/nobody' },
})

async function nodeServersWork(level: 'process' | 'sandbox'): Promise<void> {
  expect(await works(node(NOTIFIER), level, 'echo')).toBe('hi')
  expect(await works(node(EVERYTHING, 'stdio'), level, 'echo')).toContain('hi')
}

it('servers of Node.js work as before in a process of their own', () => nodeServersWork('process'))
it.skipIf(!boxes)(`servers of Node.js work in the sandbox${unless}`, () => nodeServersWork('sandbox'))

it.runIf(process.platform === 'linux')('limits open files and core dumps', async () => {
  const limits = { processes: 0, openFiles: 333, memoryBytes: 0 }
  expect(await said(sh('ulimit -n; ulimit -c'), 'process', { limits })).toBe('333\n0\n')
})

it('names what is missing as before when there is no such command', () => {
  const { target } = host.apply(sh('', { command: 'no-such-program' }), 'process', 'mark')
  expect(target).toMatchObject({ command: 'no-such-program', marker: 'mark' })
})

// @requirement R26
it('refuses a level below what is required, and says why', async () => {
  const none = await Isolation.open({ ...policy, path: '/nonexistent' })
  expect(none.best).toBe('process')
  expect(() => none.apply(sh('true'), 'sandbox', 'mark')).toThrow(
    expect.objectContaining({
      code: 'isolation_unavailable',
      message: expect.stringMatching(/bubblewrap|Linux/),
    }),
  )
  const strict = await Isolation.open({ ...policy, level: 'sandbox' })
  expect(() => strict.apply(sh('true'), 'process', 'mark')).toThrow(
    expect.objectContaining({
      code: 'isolation_unavailable',
      message: expect.stringContaining('ALTHING_ISOLATION'),
    }),
  )
  const best = await Isolation.open({ ...policy, level: 'auto', path: '/nonexistent' })
  expect(best.apply(sh('true'), 'auto', 'mark').isolation).toBe('process')
})

it.skipIf(!boxes)(
  `a sandboxed server sees no other process and nothing of the data folder${unless}`,
  async () => {
    const seen = await said(
      sh(`ls ${data} ${data}/servers; ls -d /proc/[0-9]* | wc -l; ls /root /home 2>&1 || true`),
      'sandbox',
    )
    expect(seen).not.toContain('master-key')
    expect(seen).toContain('server')
    expect(Number(/^(\d+)$/m.exec(seen)?.[1])).toBeLessThan(6)
    const named = sh(`cat ${data}/master-key 2>&1 || true`, {
      args: ['-c', `cat "$0/data/master-key" 2>&1 || true`, room],
    })
    expect(await said(named, 'sandbox')).not.toContain('PLANTED')
  },
)

it.skipIf(!boxes)(`a sandboxed server writes to its own folder and its cwd alone${unless}`, async () => {
  const [cwd, given, open] = ['cwd', 'given', 'open'].map((name) => join(room, name))
  for (const path of [cwd, given, open]) mkdirSync(path ?? '', { recursive: true })
  const script = `
    for folder in "$HOME" "$PWD" "$0" "$1" /usr /etc /; do
      (echo x > "$folder/file") 2>/dev/null && echo "wrote $folder"
    done; true`
  const args = ['-c', script, given ?? '', open ?? '']
  const lines = await said(sh('', { args, cwd: cwd ?? '' }), 'sandbox', { writable: [open ?? ''] })
  const own = join(data, 'servers/server/shared')
  expect(lines.trim().split('\n')).toEqual([`wrote ${own}`, `wrote ${cwd}`, `wrote ${open}`])
  expect(readFileSync(join(own, 'file'), 'utf8')).toBe('x\n')
})

it.skipIf(!boxes)(
  `a sandboxed server has its own environment, and the network by policy${unless}`,
  async () => {
    const names = await said(
      sh('env | cut -d= -f1 | sort; cat /etc/resolv.conf > /dev/null; cat /proc/net/dev'),
      'sandbox',
    )
    expect(names).not.toMatch(/DATABASE|ALTHING_MASTER/)
    const alone = await said(sh('tail -n +3 /proc/net/dev | cut -d: -f1'), 'sandbox', { network: false })
    expect(
      alone
        .trim()
        .split('\n')
        .map((one) => one.trim()),
    ).toEqual(['lo'])
  },
)

it.skipIf(!boxes)(`a script beside its packages is found through links${unless}`, async () => {
  const modules = join(room, 'app/node_modules')
  mkdirSync(join(modules, 'tool/bin'), { recursive: true })
  mkdirSync(join(modules, 'dep'), { recursive: true })
  writeFileSync(join(room, 'app/package.json'), '{"type":"module"}')
  writeFileSync(join(modules, 'dep/package.json'), '{"name":"dep","exports":"./index.js","type":"module"}')
  writeFileSync(join(modules, 'dep/index.js'), 'export const word = "found"')
  writeFileSync(join(modules, 'tool/package.json'), '{"name":"tool","type":"module"}')
  const cli = join(modules, 'tool/bin/cli.js')
  writeFileSync(cli, `#!${process.execPath}\nimport { word } from 'dep'; console.log(word)`)
  chmodSync(cli, 0o755)
  mkdirSync(join(modules, '.bin'))
  symlinkSync('../tool/bin/cli.js', join(modules, '.bin/tool'))
  // The installation is reached through a link, as versions of a tool often are.
  symlinkSync(join(room, 'app'), join(room, 'current'))
  const path = `${join(room, 'current')}/node_modules/.bin:${join(process.execPath, '..')}:${PATH}`
  expect(await said(sh('', { command: 'tool', args: [], env: { PATH: path } }), 'sandbox')).toBe('found\n')
})

// The kernel counts no processes of root.
it.skipIf(!boxes || root)(
  `a sandboxed server has so many processes and no more${unless || (root ? ' (skipped: runs as root)' : '')}`,
  async () => {
    const limits = { processes: 5, openFiles: 0, memoryBytes: 0 }
    const forks = sh('for i in 1 2 3 4 5 6 7 8 9; do sleep 1 & done; echo all started')
    await expect(said(forks, 'sandbox', { limits })).rejects.toThrow(/fork/i)
    const few = sh('for i in 1 2 3; do sleep 0.1 & done; echo all started')
    expect(await said(few, 'sandbox', { limits })).toBe('all started\n')
  },
)

it.skipIf(!boxes)(`a sandboxed server reads what the instance opens to all${unless}`, async () => {
  const tools = join(room, 'tools')
  mkdirSync(tools)
  writeFileSync(join(tools, 'word'), 'found')
  const reads = sh(`cat ${tools}/word 2>/dev/null || echo hidden; echo x 2>/dev/null > ${tools}/word || true`)
  expect(await said(reads, 'sandbox')).toBe('hidden\n')
  expect(await said(reads, 'sandbox', { readable: [tools] })).toBe('found')
  expect(readFileSync(join(tools, 'word'), 'utf8')).toBe('found')
})
