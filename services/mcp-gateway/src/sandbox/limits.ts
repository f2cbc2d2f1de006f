import { readFileSync } from 'node:fs'
import { release } from 'node:os'

/** What one server may use; 0 is without a limit. */
export interface Limits {
  readonly processes: number
  readonly openFiles: number
  readonly memoryBytes: number
}

/** Since Linux 5.14 processes are counted for each user namespace; before, for all of the user's. */
const COUNTS_BY_NAMESPACE = [5, 14] as const

/**
 * The options of `prlimit` for a command: open files and core dumps always, memory for each process when no cgroup
 * bounds the whole. It is the data of a process, not its addresses: Node.js reserves far more of these than it uses.
 */
export function prlimitOptions({ openFiles, memoryBytes }: Limits, memoryByCgroup: boolean): string[] {
  const options = ['--core=0']
  // Nobody but root may raise a limit that is lower already; to ask for it would fail the start.
  const files = Math.min(openFiles || Number.POSITIVE_INFINITY, ownHardLimit('Max open files'))
  if (Number.isFinite(files)) options.push(`--nofile=${files}:${files}`)
  const bytes = Math.min(memoryBytes || Number.POSITIVE_INFINITY, ownHardLimit('Max data size'))
  if (!memoryByCgroup && Number.isFinite(bytes)) options.push(`--data=${bytes}:${bytes}`)
  return options
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
