import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * `make conformance`: the official suite, client half, against what each protocol revision requires. What fails without
 * being in expected-failures.json fails the run, and so does what passes while it is in there.
 */
const REVISIONS = ['2026-07-28', '2025-11-25'] as const
const CLIENT = `node ${join(import.meta.dirname, 'client.ts')}`
const SCENARIO_TIMEOUT_MS = 90_000
const LINE = /^[✓✗] (\S+): (\d+) passed, (\d+) failed/gm
const UNSCORED = /^ {2}[✓✗] (\S+) \(([a-z-]+)\)$/gm

type Expected = Readonly<Record<(typeof REVISIONS)[number], readonly string[]>>
const expected = JSON.parse(
  readFileSync(join(import.meta.dirname, 'expected-failures.json'), 'utf8'),
) as Expected

for (const revision of REVISIONS) {
  const { output, code } = await suite(revision)
  // A scenario without a single check passed proves nothing.
  const passed = new Map(
    [...output.matchAll(LINE)].map(
      ([, name = '', good, bad]) => [name, good !== '0' && bad === '0'] as const,
    ),
  )
  const extra = new Set([...output.matchAll(UNSCORED)].map(([, name]) => name))
  const required = [...passed].filter(([name]) => !extra.has(name))
  const failures = [...passed].filter(([, ok]) => !ok).map(([name]) => name)
  const surprises = [
    ...failures.filter((name) => !expected[revision].includes(name)).map((name) => `${name} fails`),
    ...expected[revision]
      .filter((name) => passed.get(name) !== false)
      .map((name) => `${name} does not fail any more`),
  ]
  console.log(
    `${revision}: ${required.filter(([, ok]) => ok).length} of ${required.length} required scenarios pass, ` +
      `${passed.size - required.length} more were run`,
  )
  for (const surprise of surprises) console.log(`  unexpected: ${surprise}`)
  if (passed.size === 0) console.log(`The suite did not run (code ${code}):\n${output.slice(-2000)}`)
  if (surprises.length > 0 || required.length === 0) process.exitCode = 1
}

function suite(revision: string): Promise<{ output: string; code: number | null }> {
  const args = ['client', '--command', CLIENT, '--requirements', revision]
  const child = spawn('conformance', [...args, '--timeout', String(SCENARIO_TIMEOUT_MS)], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NO_COLOR: '1' },
  })
  let output = ''
  for (const pipe of [child.stdout, child.stderr]) {
    pipe.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ output, code }))
  })
}
