import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'

const LOOK_EVERY_MS = 20

/** A process that outlives a restart of its owner on paper: the pid alone may be somebody else's by then. */
export interface ProcessIdentity {
  readonly pid: number
  /** When the kernel started it; opaque, equal only for the same process. */
  readonly startedAt: string
}

/** The identity of a running process, or undefined when there is none (zombies count as none). */
export function identify(pid: number): ProcessIdentity | undefined {
  const startedAt = process.platform === 'linux' ? startOnLinux(pid) : startByPs(pid)
  return startedAt === undefined ? undefined : { pid, startedAt }
}

export function isAlive({ pid, startedAt }: ProcessIdentity): boolean {
  return identify(pid)?.startedAt === startedAt
}

function startOnLinux(pid: number): string | undefined {
  try {
    // The command stands in parentheses and may hold anything; the fields after the last one are safe to split.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19]
  } catch {
    return undefined
  }
}

function startByPs(pid: number): string | undefined {
  try {
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || undefined
  } catch {
    return undefined
  }
}

/** Sends a signal to every process of a group. False when there is none left. */
export function signalGroup(leader: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-leader, signal)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Resolves true once the group has no process left, false after `withinMs`. */
export async function groupGone(leader: number, withinMs: number): Promise<boolean> {
  const deadline = performance.now() + withinMs
  while (groupLives(leader)) {
    if (performance.now() >= deadline) return false
    await wait(LOOK_EVERY_MS)
  }
  return true
}

/** A group of zombies that nobody reaped is gone for our purpose, though signals still reach it. */
function groupLives(leader: number): boolean {
  return signalGroup(leader, 0)
}

/** Ends a process group left behind by a dead owner: `first`, a grace, then SIGKILL. Does nothing to a reused pid. */
export async function killGroup(
  identity: ProcessIdentity,
  first: NodeJS.Signals = 'SIGTERM',
  graceMs = 500,
): Promise<void> {
  if (!isAlive(identity)) return
  signalGroup(identity.pid, first)
  if (await groupGone(identity.pid, graceMs)) return
  signalGroup(identity.pid, 'SIGKILL')
  await groupGone(identity.pid, graceMs)
}
