import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

export const ROOT = join(import.meta.dirname, '../..')

export interface Source {
  /** From the repository's root, with forward slashes. */
  readonly path: string
  readonly text: string
  /** Every module specifier that it imports or re-exports, as written. */
  readonly imports: readonly string[]
}

const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s(?:[^'"]*?\sfrom\s)?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/g

/** Every TypeScript file of the repository, tracked or new, that is not ignored. */
export function readSources(): Source[] {
  const list = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '--', '*.ts', '*.tsx'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  return list
    .split('\n')
    .filter((path) => path !== '' && !path.endsWith('.d.ts'))
    .flatMap((path) => {
      const text = readIfThere(join(ROOT, path))
      if (text === undefined) return []
      const imports = [...text.matchAll(IMPORT)].map((match) => match[1] ?? match[2] ?? '')
      return [{ path, text, imports }]
    })
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

export function isTest(path: string): boolean {
  return path.startsWith('test/') || path.includes('.test.')
}

/** The file that a relative import names; packages of ours come out as their folder. */
export function resolveImport(from: string, specifier: string): string {
  if (specifier.startsWith('.')) return normalize(join(dirname(from), specifier))
  const own = /^@althing\/([a-z-]+)(?:\/(.+))?$/.exec(specifier)
  if (!own) return specifier
  const [, name = '', rest] = own
  const home = ['protocol', 'runtime', 'mcp-client', 'local-stack'].includes(name)
    ? `libs/${name}`
    : `services/${name}`
  return rest === undefined ? home : `${home}/src/${rest}.ts`
}
