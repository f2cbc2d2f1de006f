import { existsSync, lstatSync, readlinkSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, isAbsolute, join } from 'node:path'
import { commandPath } from './command-path.ts'

/** What of the machine a sandboxed server sees beside the system's own folders. */
export interface Reach {
  readonly readable: readonly string[]
  readonly writable: readonly string[]
}

export interface ReachOf {
  /** The program, as an absolute path. */
  readonly program: string
  readonly args: readonly string[]
  /** Where the child looks for programs: a script names its interpreter by that. */
  readonly path: string
  readonly cwd: string | undefined
  /** Folders that a server may write to when it is told of them, or of something in them. */
  readonly mayWrite: readonly string[]
  /** Folders that hold what no server may see. */
  readonly closed: readonly string[]
}

/** A folder of the kernel, of secrets or of sockets: never opened because an argument names it. */
const NEVER = ['/proc', '/sys', '/dev', '/run', '/var/run', '/etc', '/boot', '/keys']
/** A file that marks the root of what belongs to a script. */
const PROJECT = ['package.json', 'pyproject.toml', 'requirements.txt', 'deno.json']

export function reachOf({ program, args, path, cwd, mayWrite, closed }: ReachOf): Reach {
  const readable = new Set<string>()
  const writable = new Set<string>()
  const never = [...NEVER, ...closed]
  const allowed = (one: string) => one !== '/' && !never.some((folder) => isWithin(one, folder))
  const read = (one: string) => {
    if (existsSync(one) && allowed(realpathSync(one))) readable.add(one)
  }
  for (const file of programs(program, path)) for (const one of besideProgram(file)) read(one)
  for (const arg of args) {
    // `--root=/srv/files` names a path as much as `/srv/files` does.
    const named = arg.slice(arg.indexOf('=') + 1)
    const one = isAbsolute(arg) ? arg : named
    if (!isAbsolute(one) || !existsSync(one)) continue
    const real = realpathSync(one)
    if (allowed(real) && mayWrite.some((folder) => isWithin(real, folder))) writable.add(one)
    else if (statSync(real).isDirectory()) read(one)
    else for (const part of [one, ...besideScript(real)]) read(part)
  }
  if (cwd !== undefined && existsSync(cwd) && allowed(realpathSync(cwd))) writable.add(cwd)
  return { readable: [...readable], writable: [...writable] }
}

export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`)
}

/** The program, what it is a link to, and Node.js, which many a script asks for by name. */
function programs(program: string, path: string): string[] {
  const node = commandPath('node', path)
  return [program, ...(node === undefined ? [] : [node])].flatMap(links)
}

/** A file and every step of the links that lead from it. */
function links(file: string): string[] {
  const steps = [file]
  for (let at = file; lstatSync(at, { throwIfNoEntry: false })?.isSymbolicLink() && steps.length < 10; ) {
    const to = readlinkSync(at)
    at = isAbsolute(to) ? to : join(dirname(at), to)
    steps.push(at)
  }
  return [...steps, realpathSync(file)]
}

/** The folder of a program and the libraries of its installation, but not all that lies beside `bin`. */
function besideProgram(file: string): string[] {
  const folder = dirname(file)
  const parent = dirname(folder)
  const installed = basename(folder) === 'bin' ? ['lib', 'pyvenv.cfg'].map((name) => join(parent, name)) : []
  return [folder, ...installed, ...besideScript(file)]
}

/** The project that a script is part of, and the packages it finds by walking up. */
function besideScript(file: string): string[] {
  const found: string[] = []
  let project: string | undefined
  for (let folder = dirname(file); folder !== '/'; folder = dirname(folder)) {
    if (basename(folder) === 'node_modules') found.push(folder)
    const modules = join(folder, 'node_modules')
    if (existsSync(modules)) found.push(modules)
    if (project === undefined && PROJECT.some((name) => existsSync(join(folder, name)))) project = folder
  }
  return [...(project === undefined ? [] : [project]), ...found]
}
