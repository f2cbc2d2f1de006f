import { readFileSync } from 'node:fs'
import { release } from 'node:os'

/** What one server may use; 0 is without a limit. */
export interface Limits {
  readonly processes: number
  readonly openFiles: number
  /** Of all its processes together. */
  readonly memoryBytes: number
}

/** Since Linux 5.14 processes are counted for each user namespace; before, for all of the user's. */
const COUNTS_BY_NAMESPACE = [5, 14] as const

/**
 * The options of `prlimit` for a command: open files, and no core dumps. Not memory: what it counts, addresses or
 * data, Node.js reserves by the half gigabyte for each worker without using it; only a cgroup counts what is used.
 */
export function prlimitOptions({ openFiles }: Limits): string[] {
  // Nobody but root may raise a limit that is lower already; to ask for it would fail the start.
  const files = Math.min(openFiles || Number.POSITIVE_INFINITY, ownHardLimit('Max open files'))
  return ['--core=0', ...(Number.isFinite(files) ? [`--nofile=${files}:${files}`] : [])]
}

/** The options of `prlimit` inside a user namespace of the server's own. */
export function processLimitOptions({ processes }: Limits): string[] {
  const [major = 0, minor = 0] = release().split('.').map(Number)
  const [since, sinceMinor] = COUNTS_BY_NAMESPACE
  const counts = major > since || (major === since && minor >= sinceMinor)
  const most = Math.min(processes, ownHardLimit('Max processes'))
  return processes > 0 && counts ? [`--nproc=${most}:${most}`] : []
}

function ownHardLimit(name: string): number {
  try {
    const line = readFileSync('/proc/self/limits', 'latin1')
      .split('\n')
      .find((one) => one.startsWith(name))
    const hard = line?.slice(name.length).trim().split(/\s+/)[1]
    return hard === undefined || hard === 'unlimited' ? Number.POSITIVE_INFINITY : Number(hard)
  } catch {
    return Number.POSITIVE_INFINITY
  }
}
