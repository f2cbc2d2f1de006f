import { existsSync, lstatSync, readlinkSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, isAbsolute, join } from 'node:path'
import { commandPath } from './command-path.ts'

/** What of the machine a sandboxed server sees beside the system's own folders; no path leads through a link. */
export interface Reach {
  readonly readable: ReadonlySet<string>
  readonly writable: ReadonlySet<string>
  /** Links on the way there, with what they hold. */
  readonly links: ReadonlyMap<string, string>
}

export interface ReachOf {
  /** The program, as an absolute path. */
  readonly program: string
  readonly args: readonly string[]
  /** Where the child looks for programs: a script names its interpreter by that. */
  readonly path: string
  readonly cwd: string | undefined
  /** What it may read whatever it is. */
  readonly always: readonly string[]
  /** Folders that a server may write to when it is told of them, or of something in them. */
  readonly mayWrite: readonly string[]
  /** Folders that hold what no server may see; real paths. */
  readonly closed: readonly string[]
  /** A folder that is opened when it is named, but not for a program that lies in it. */
  readonly home: string
}

/** Folders of the kernel, of secrets and of sockets: never opened because an argument names them. */
const NEVER = ['/proc', '/sys', '/dev', '/run', '/etc', '/boot', '/keys']
/** A file that marks the root of what belongs to a script. */
const PROJECT = ['package.json', 'pyproject.toml', 'requirements.txt', 'deno.json']
const MOST_LINKS = 40

export function reachOf({ program, args, path, cwd, always, mayWrite, closed, home }: ReachOf): Reach {
  const readable = new Set<string>()
  const writable = new Set<string>()
  const links = new Map<string, string>()
  const never = [...NEVER, ...closed]
  const open = (named: string, into: Set<string>): string | undefined => {
    const real = follow(named, links)
    if (real === undefined || real === '/' || never.some((folder) => isWithin(real, folder))) return undefined
    into.add(real)
    return real
  }
  const openBeside = (files: readonly string[]) => {
    for (const file of files) if (file !== realOrSame(home)) open(file, readable)
  }
  for (const named of always) open(named, readable)
  for (const file of [program, commandPath('node', path)]) {
    if (file === undefined) continue
    const real = open(file, readable)
    openBeside(fileLinks(file).flatMap(installation))
    if (real !== undefined) openBeside([...installation(real), ...project(real)])
  }
  for (const named of args.map(pathIn)) {
    if (named === undefined) continue
    const may = mayWrite.some((folder) => isWithin(realpathSync(named), realOrSame(folder)))
    const real = open(named, may ? writable : readable)
    if (real !== undefined && !may && statSync(real).isFile()) openBeside([dirname(real), ...project(real)])
  }
  if (cwd !== undefined) open(cwd, writable)
  return { readable, writable, links }
}

export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`)
}

/** The existing path that an argument names: `--root=/srv/files` does as much as `/srv/files`. */
function pathIn(arg: string): string | undefined {
  const named = isAbsolute(arg) ? arg : arg.slice(arg.indexOf('=') + 1)
  return isAbsolute(named) && existsSync(named) ? named : undefined
}

export function realOrSame(path: string): string {
  return existsSync(path) ? realpathSync(path) : path
}

/** The real path, as the kernel would find it; every link it goes through is noted in `links`. */
function follow(path: string, links: Map<string, string>): string | undefined {
  let at = '/'
  const ahead = path.split('/')
  for (let steps = 0; ahead.length > 0; ) {
    const next = join(at, ahead.shift() ?? '')
    const found = lstatSync(next, { throwIfNoEntry: false })
    if (found === undefined) return undefined
    if (!found.isSymbolicLink()) at = next
    else {
      if (++steps > MOST_LINKS) return undefined
      const to = readlinkSync(next)
      links.set(next, to)
      ahead.unshift(...to.split('/'))
      if (isAbsolute(to)) at = '/'
    }
  }
  return at
}

/** The links to the file itself that lead from a path: a virtual environment is found beside one of them. */
function fileLinks(path: string): string[] {
  const links = new Map<string, string>()
  follow(path, links)
  return [...links.keys()].filter((link) => statSync(link, { throwIfNoEntry: false })?.isFile())
}

/** The folder of a program and the libraries of its installation, but not all that lies beside `bin`. */
function installation(file: string): string[] {
  const folder = dirname(file)
  const libraries = ['lib', 'pyvenv.cfg'].map((name) => join(dirname(folder), name))
  return [folder, ...(basename(folder) === 'bin' ? libraries : [])]
}

/** The project that a script is part of, and the packages that it finds by walking up. */
function project(file: string): string[] {
  const folders: string[] = []
  for (let folder = dirname(file); folder !== '/'; folder = dirname(folder)) folders.push(folder)
  const root = folders.find((folder) => PROJECT.some((name) => existsSync(join(folder, name))))
  const packages = folders.map((folder) => join(folder, 'node_modules')).filter((path) => existsSync(path))
  return [...(root === undefined ? [] : [root]), ...packages]
}
