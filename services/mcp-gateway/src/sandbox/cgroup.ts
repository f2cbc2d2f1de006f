import { mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Limits } from './limits.ts'

const NEEDED = ['memory', 'pids']
const HOME = 'althing-gateway-'
const PREFIX = 'althing-server-'

/** A delegated cgroup (version 2) under which every start of a server gets a group with limits of its own. */
export class Cgroup {
  readonly #path: string

  private constructor(path: string) {
    this.#path = path
  }

  /** The cgroup, or why there is none: then the memory of servers has no limit of its own. Never throws. */
  static open(): Cgroup | string {
    const path = ownPath()
    if (path === undefined) return 'cgroup v2 is not mounted'
    const home = join(path, `${HOME}${process.pid}`)
    try {
      const offered = readFileSync(join(path, 'cgroup.controllers'), 'utf8').trim().split(' ')
      const missing = NEEDED.filter((name) => !offered.includes(name))
      if (missing.length > 0) return `the cgroup has no controller for ${missing.join(' and ')}`
      // A group that hands limits on may hold no process itself, so this one moves into a leaf.
      mkdirSync(home)
      writeFileSync(join(home, 'cgroup.procs'), String(process.pid))
      writeFileSync(join(path, 'cgroup.subtree_control'), NEEDED.map((name) => `+${name}`).join(' '))
      return new Cgroup(path)
    } catch (error) {
      moveBack(path, home)
      return `the cgroup is not delegated (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`
    }
  }

  /**
   * Makes a group for one start. What is returned goes before the command, which is in it before it runs; nothing
   * when the group cannot be made (any more): a server without these limits is better than none.
   */
  place(token: string, { processes, memoryBytes }: Limits): string[] {
    const path = join(this.#path, PREFIX + token)
    try {
      this.#tidy()
      mkdirSync(path)
      if (processes > 0) writeFileSync(join(path, 'pids.max'), String(processes))
      if (memoryBytes > 0) writeFileSync(join(path, 'memory.max'), String(memoryBytes))
    } catch {
      return []
    }
    return ['/bin/sh', '-c', 'echo $$ > "$0/cgroup.procs" && exec "$@"', path]
  }

  /** The kernel lets go only of groups that nothing runs in. */
  #tidy(): void {
    for (const name of readdirSync(this.#path)) {
      if (name.startsWith(PREFIX) || name.startsWith(HOME)) attempt(() => rmdirSync(join(this.#path, name)))
    }
  }
}

function moveBack(path: string, home: string): void {
  attempt(() => writeFileSync(join(path, 'cgroup.procs'), String(process.pid)))
  attempt(() => rmdirSync(home))
}

function attempt(work: () => void): void {
  try {
    work()
  } catch {
    // It stays as it is.
  }
}

function ownPath(): string | undefined {
  try {
    const own = /^0::(.*)$/m.exec(readFileSync('/proc/self/cgroup', 'utf8'))?.[1]
    // mountinfo: id parent device root mount-point options... - type source options
    const mount = readFileSync('/proc/self/mountinfo', 'utf8')
      .split('\n')
      .map((line) => line.split(' '))
      .find((fields) => fields[fields.indexOf('-') + 1] === 'cgroup2')
    const [root, point] = mount?.slice(3) ?? []
    return own === undefined || root === undefined || point === undefined
      ? undefined
      : join(point, relative(root, own))
  } catch {
    return undefined
  }
}
