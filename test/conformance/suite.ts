import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export const REVISIONS = ['2026-07-28', '2025-11-25'] as const
export type Revision = (typeof REVISIONS)[number]
export type Half = 'client' | 'server'

const LINE = /^[✓✗] (\S+): (\d+) passed, (\d+) failed/gm
const UNSCORED = /^ {2}[✓✗] (\S+) \(([a-z-]+)\)$/gm

type Expected = Readonly<Record<Half, Readonly<Record<Revision, readonly string[]>>>>
const expected = JSON.parse(
  readFileSync(join(import.meta.dirname, 'expected-failures.json'), 'utf8'),
) as Expected

/**
 * Runs what a protocol revision requires of one half and prints the counts. False when something fails that is not in
 * expected-failures.json, or passes although it is in there.
 */
export async function runSuite(half: Half, revision: Revision, args: readonly string[]): Promise<boolean> {
  const { output, code } = await run([half, '--requirements', revision, ...args])
  // A scenario without a single check passed proves nothing.
  const passed = new Map(
    [...output.matchAll(LINE)].map(
      ([, name = '', good, bad]) => [name, good !== '0' && bad === '0'] as const,
    ),
  )
  const extra = new Set([...output.matchAll(UNSCORED)].map(([, name]) => name))
  const required = [...passed].filter(([name]) => !extra.has(name))
  const failures = [...passed].filter(([, ok]) => !ok).map(([name]) => name)
  const known = expected[half][revision]
  const surprises = [
    ...failures.filter((name) => !known.includes(name)).map((name) => `${name} fails`),
    ...known.filter((name) => passed.get(name) !== false).map((name) => `${name} does not fail any more`),
  ]
  console.log(
    `${half} ${revision}: ${required.filter(([, ok]) => ok).length} of ${required.length} required scenarios pass, ` +
      `${passed.size - required.length} more were run`,
  )
  for (const surprise of surprises) console.log(`  unexpected: ${surprise}`)
  if (passed.size === 0) console.log(`The suite did not run (code ${code}):\n${output.slice(-2000)}`)
  if (surprises.length > 0 && process.env.CONFORMANCE_VERBOSE) console.log(output)
  return surprises.length === 0 && required.length > 0
}

function run(args: readonly string[]): Promise<{ output: string; code: number | null }> {
  const child = spawn('conformance', args, {
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
