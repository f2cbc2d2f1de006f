import { execFile } from 'node:child_process'
import { lstatSync, readlinkSync } from 'node:fs'
import { promisify } from 'node:util'
import { isWithin, type Reach } from './reach.ts'

const run = promisify(execFile)
const PROBE_MS = 5_000

/** What names, certificates, users and shared libraries are looked up by. */
const ETC = [
  'alternatives',
  'ca-certificates',
  'crypto-policies',
  'gai.conf',
  'group',
  'host.conf',
  'hosts',
  'ld.so.cache',
  'ld.so.conf',
  'ld.so.conf.d',
  'localtime',
  'mime.types',
  'nsswitch.conf',
  'passwd',
  'pki',
  'protocols',
  'resolv.conf',
  'services',
  'ssl',
  'timezone',
]
const SYSTEM = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/nix/store']

export interface Box extends Reach {
  /** The one folder that is the server's own; nothing else of `closed` is seen. */
  readonly folder: string | undefined
  readonly closed: readonly string[]
  readonly cwd: string | undefined
  readonly network: boolean
}

/** The arguments of `bwrap` that close the box; the command follows them. */
export function bubblewrapArgs({ readable, writable, links, folder, closed, cwd, network }: Box): string[] {
  const within = (path: string, folders: readonly string[]) => folders.some((outer) => isWithin(path, outer))
  const bound = [
    ...[...readable].filter((path) => !within(path, SYSTEM)).map((path) => ['--ro-bind', path] as const),
    ...[...writable].map((path) => ['--bind', path] as const),
    // What lies inside another comes after it, and writable after readable: the last one is in force.
  ].sort(([, one], [, other]) => one.split('/').length - other.split('/').length)
  const seen = [...SYSTEM, ...bound.map(([, path]) => path)]
  return [
    ...['--unshare-user', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--die-with-parent'],
    ...(network ? [] : ['--unshare-net']),
    ...['--cap-drop', 'ALL'],
    ...SYSTEM.flatMap(systemFolder),
    ...ETC.flatMap((name) => ['--ro-bind-try', `/etc/${name}`, `/etc/${name}`]),
    ...['--proc', '/proc', '--dev', '/dev'],
    ...['--tmpfs', '/tmp', '--tmpfs', '/run', '--tmpfs', '/var/tmp'],
    ...bound.flatMap(([option, path]) => [option, path, path]),
    ...[...links].flatMap(([link, to]) => (within(link, seen) ? [] : ['--symlink', to, link])),
    ...closed.flatMap((path) => (within(path, seen) ? ['--tmpfs', path] : [])),
    ...(folder === undefined ? [] : ['--bind', folder, folder]),
    ...['--remount-ro', '/', '--chdir', cwd ?? folder ?? '/tmp', '--'],
  ]
}

/** On most systems `/bin` and its like are links into `/usr`. */
function systemFolder(path: string): string[] {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found === undefined) return []
  return found.isSymbolicLink() ? ['--symlink', readlinkSync(path), path] : ['--ro-bind', path, path]
}

/** Undefined when a box can be closed on this machine, else why it cannot. Never throws. */
export async function whyNoBubblewrap(bwrap: string | undefined): Promise<string | undefined> {
  if (process.platform !== 'linux') return 'the sandbox needs Linux'
  if (bwrap === undefined) return 'bubblewrap (bwrap) is not installed'
  const nothing = { readable: new Set<string>(), writable: new Set<string>(), links: new Map() }
  const box = { ...nothing, folder: undefined, closed: [], cwd: undefined, network: true }
  try {
    await run(bwrap, [...bubblewrapArgs(box), 'true'], { timeout: PROBE_MS, env: { PATH: '/usr/bin:/bin' } })
    return undefined
  } catch (error) {
    const { stderr = '', message } = error as { stderr?: string; message: string }
    return `bubblewrap does not work here: ${(stderr.trim() || message).split('\n', 1)[0]}`
  }
}
