import { spawnSync } from 'node:child_process'
import { globSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { LocalFault, type Say } from './fault.ts'

const ROOT = join(import.meta.dirname, '../../..')
const WEB = join(ROOT, 'services/web')

/** Builds the UI when it was never built or its sources are newer. */
export function ensureUi(say: Say): void {
  const sources = [
    ...globSync('src/ui/**/*', { cwd: WEB }),
    'index.html',
    'vite.config.ts',
    '../../package-lock.json',
  ].map((path) => modified(join(WEB, path)))
  if (modified(join(WEB, 'dist/index.html')) > Math.max(...sources)) return
  say('Building the UI')
  const built = spawnSync(join(ROOT, 'node_modules/.bin/vite'), ['build', '--logLevel', 'warn'], {
    cwd: WEB,
    encoding: 'utf8',
  })
  if (built.status !== 0)
    throw new LocalFault(`The UI could not be built:\n${built.stderr || String(built.error)}`)
}

function modified(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
}
