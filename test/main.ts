import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findNatsServer } from '@althing/local-stack/nats-binary'
import { findChromium } from './browser/chromium.ts'

/** `make test`: the static gate, then every test. The last line counts them: `N passed, N failed, N skipped`. */
interface Report {
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly numPendingTests: number
  readonly numFailedTestSuites: number
  readonly testResults: readonly {
    readonly name: string
    readonly status: string
    readonly message: string
  }[]
}

const folder = mkdtempSync(join(tmpdir(), 'althing-report-'))
const reportFile = join(folder, 'report.json')
const chromium = findChromium((line) => console.log(line))
findNatsServer('.tools', (line) => console.log(line))
const projects = ['unit', 'integration', ...(chromium === undefined ? [] : ['browser'])]

const gate =
  spawnSync(process.execPath, ['tools/check.ts', '--without-tests'], { stdio: 'inherit' }).status === 0
const code = await run('vitest', [
  'run',
  ...projects.flatMap((project) => ['--project', project]),
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${reportFile}`,
])
const report = JSON.parse(readFileSync(reportFile, 'utf8')) as Report
rmSync(folder, { recursive: true, force: true })

// A file that could not even be loaded counts as a failure, though no test of it ran.
const broken = report.testResults.filter((file) => file.status === 'failed' && file.message !== '').length
const failed = report.numFailedTests + (report.numFailedTests === 0 ? broken : 0) + (gate ? 0 : 1)
const skipped = report.numPendingTests + (chromium === undefined ? 1 : 0)
if (!gate) console.log('The static gate failed; see above.')
if (chromium === undefined)
  console.log('Skipped: the browser tests, because there is no Chromium and no way to get one here.')
console.log(`${report.numPassedTests} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
process.exitCode = failed === 0 && code === 0 ? 0 : 1

function run(command: string, args: readonly string[]): Promise<number> {
  return new Promise((resolve) => {
    const env = { ...process.env, ...(chromium === undefined ? {} : { CHROMIUM: chromium }) }
    spawn(command, args, { stdio: 'inherit', env }).on('close', (status) => resolve(status ?? 1))
  })
}
