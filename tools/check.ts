import { spawnSync } from 'node:child_process'
import { runSteps, type Step } from './step.ts'

/** `make check`: the whole static gate. Types, lint, format, unused code, architecture, unit tests, documents, compose. */
const unit: Step = {
  name: 'unit',
  command: 'vitest',
  args: ['run', '--project', 'unit', '--reporter', 'dot'],
}
const steps: Step[] = [
  ...(process.argv.includes('--without-tests') ? [] : [unit]),
  { name: 'ui build', command: 'vite', args: ['build', '--logLevel', 'warn'], cwd: 'services/web' },
  { name: 'types', command: 'tsc', args: ['-p', '.'] },
  { name: 'types of ui', command: 'tsc', args: ['-p', 'services/web'] },
  { name: 'lint, format', command: 'biome', args: ['ci', '--error-on-warnings', '--colors=off', '.'] },
  { name: 'unused code', command: 'knip', args: [] },
  { name: 'documents', command: 'node', args: ['tools/docs.ts', '--check'] },
]

const compose = ['docker-compose', 'docker'].find((name) => spawnSync(name, ['--version']).status === 0)
if (compose !== undefined) {
  const args = compose === 'docker' ? ['compose', 'config', '-q'] : ['config', '-q']
  const works = compose === 'docker-compose' || spawnSync('docker', ['compose', 'version']).status === 0
  if (works) steps.push({ name: 'compose file', command: compose, args })
}

const outcomes = await runSteps(steps, 2)
if (!steps.some((step) => step.name === 'compose file'))
  console.log('skip   compose file   docker-compose is not on this machine')
const failed = outcomes.filter((outcome) => !outcome.ok)
console.log(
  failed.length === 0 ? 'All checks passed.' : `Failed: ${failed.map((outcome) => outcome.name).join(', ')}.`,
)
process.exitCode = failed.length === 0 ? 0 : 1
