import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises'
import { groupGone, isAlive, type ProcessIdentity, signalGroup } from './process-group.ts'

/**
 * The variable that every child carries and hands to its own. What escapes: a program that clears or overwrites its
 * environment, left its session, and whose parents were gone before anybody looked.
 */
export const MARKER = 'ALTHING_CHILD'

const ASSIGNMENT = Buffer.from(`${MARKER}=`)
const LOOK_EVERY_MS = 20
/** How long the kernel may take to bury what was killed; one in uninterruptible sleep takes longer. */
const BURIAL_MS = 2000
const REAPED_MS = 500
const AT_ONCE = 32
const { platform } = process

/** A process as one look over /proc found it; zombies are not among them. */
export interface Seen extends ProcessIdentity {
  readonly parent: number
  readonly group: number
  readonly session: number
  readonly marker: string | undefined
}

let looking: Promise<readonly Seen[]> | undefined
let lookingNext: Promise<readonly Seen[]> | undefined

/** Every process that lives now. Those who ask while others are being answered share the next look. */
export function look(): Promise<readonly Seen[]> {
  if (looking === undefined) {
    looking = readTable().finally(() => {
      looking = undefined
    })
    return looking
  }
  lookingNext ??= looking.then(() => {
    lookingNext = undefined
    return look()
  })
  return lookingNext
}

async function readTable(): Promise<readonly Seen[]> {
  if (platform !== 'linux') return []
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger)
  const seen: Seen[] = []
  for (const [index, pid] of pids.entries()) {
    // Reading /proc never waits for a disk, but a long table must not hold up the calls of others.
    if (index % AT_ONCE === AT_ONCE - 1) await nextTurn()
    const found = readProcess(pid)
    if (found) seen.push(found)
  }
  return seen
}

function readProcess(pid: number): Seen | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)?.split(' ') ?? []
    const [state = 'X', parent, group, session] = fields
    if (state === 'Z' || state === 'X') return undefined
    return {
      pid,
      startedAt: fields[19] ?? '',
      parent: Number(parent),
      group: Number(group),
      session: Number(session),
      marker: readMarker(pid),
    }
  } catch {
    return undefined
  }
}

function readMarker(pid: number): string | undefined {
  try {
    const environment = readFileSync(`/proc/${pid}/environ`)
    for (let at = 0; ; at++) {
      at = environment.indexOf(ASSIGNMENT, at)
      if (at < 0) return undefined
      if (at > 0 && environment[at - 1] !== 0) continue
      const end = environment.indexOf(0, at)
      return environment.toString('latin1', at + ASSIGNMENT.length, end < 0 ? undefined : end)
    }
  } catch {
    // It is gone, or of another user: none of ours.
    return undefined
  }
}

/** The processes that `isRoot` picks, and every child of a child of them. Never this process. */
export function familyOf(seen: readonly Seen[], isRoot: (one: Seen) => boolean): Seen[] {
  const children = Map.groupBy(seen, (one) => one.parent)
  const family = new Map<number, Seen>()
  const open = seen.filter(isRoot)
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    if (one.pid === process.pid || family.has(one.pid)) continue
    family.set(one.pid, one)
    open.push(...(children.get(one.pid) ?? []))
  }
  return [...family.values()]
}

export interface Kin {
  /** The value of the marker in its environment. */
  readonly marker: string
  /** The first process, which leads a session and a group of its own. */
  readonly leader: number
  /** The first process only waits for the real one, which SIGTERM has to reach in its place. */
  readonly wrapped?: boolean
}

/** A started child with all that came of it, wherever it went. */
export class Descendants {
  readonly #kin: Kin
  readonly #noted = new Set<string>()
  #ending: Promise<boolean> | undefined

  constructor(kin: Kin) {
    this.#kin = kin
  }

  /** Notes who is there: what cleared its environment is known by its parents only while these live. */
  async note(): Promise<readonly Seen[]> {
    const { marker, leader } = this.#kin
    const family = familyOf(
      await look(),
      (one) =>
        one.marker === marker ||
        one.session === leader ||
        one.group === leader ||
        this.#noted.has(nameOf(one)),
    )
    for (const one of family) this.#noted.add(nameOf(one))
    return family
  }

  /** SIGTERM, a grace, SIGKILL to whatever is left. False when something does not die. */
  end(graceMs: number): Promise<boolean> {
    this.#ending ??= platform === 'linux' ? this.#end(graceMs) : endGroup(this.#kin.leader, graceMs)
    return this.#ending
  }

  #end(graceMs: number): Promise<boolean> {
    const { leader, wrapped } = this.#kin
    const spared = (one: Seen) => wrapped === true && one.pid === leader
    return endAll(() => this.note(), graceMs, spared)
  }
}

/**
 * Ends what `find` finds until it finds nothing: SIGTERM (not to those that `spared` picks), a grace, SIGKILL. False
 * when something does not die.
 */
export async function endAll(
  find: () => Promise<readonly Seen[]>,
  graceMs: number,
  spared: (one: Seen) => boolean = () => false,
): Promise<boolean> {
  let left = await find()
  if (left.length === 0) return true
  const ended = [...left]
  signalEach(
    left.filter((one) => !spared(one)),
    'SIGTERM',
  )
  await goneWithin(left, graceMs)
  const deadline = performance.now() + BURIAL_MS
  for (;;) {
    // Again and again: what forks while it is looked for is found by the next look.
    left = await find()
    if (left.length === 0) return buried(ended)
    if (performance.now() > deadline) return false
    ended.push(...left)
    signalEach(left, 'SIGKILL')
    await goneWithin(left, LOOK_EVERY_MS * 5)
  }
}

/** Orphans that died are gone for us at once; whoever inherited them needs a moment to take their pids away. */
async function buried(all: readonly ProcessIdentity[]): Promise<true> {
  const deadline = performance.now() + REAPED_MS
  while (all.some(({ pid }) => existsSync(`/proc/${pid}`)) && performance.now() < deadline)
    await wait(LOOK_EVERY_MS / 4)
  return true
}

function nameOf({ pid, startedAt }: ProcessIdentity): string {
  return `${pid}/${startedAt}`
}

function signalEach(all: readonly ProcessIdentity[], signal: NodeJS.Signals): void {
  for (const { pid } of all) {
    try {
      process.kill(pid, signal)
    } catch {
      // It went by itself.
    }
  }
}

async function goneWithin(all: readonly ProcessIdentity[], withinMs: number): Promise<boolean> {
  const deadline = performance.now() + withinMs
  while (all.some(isAlive)) {
    if (performance.now() >= deadline) return false
    await wait(LOOK_EVERY_MS)
  }
  return true
}

/** Where there is no /proc, the group is all that can be known of. */
async function endGroup(leader: number, graceMs: number): Promise<boolean> {
  if (await groupGone(leader, 0)) return true
  signalGroup(leader, 'SIGTERM')
  if (await groupGone(leader, graceMs)) return true
  signalGroup(leader, 'SIGKILL')
  return groupGone(leader, BURIAL_MS)
}
