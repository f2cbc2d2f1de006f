import { randomBytes } from 'node:crypto'
import { readlinkSync } from 'node:fs'
import { endAll, familyOf, look, type Seen } from '@althing/mcp-client/transport/descendants'
import { identify } from '@althing/mcp-client/transport/process-group'

const GRACE_MS = 500

interface Mark {
  readonly instance: string
  /** The namespace that the owner's pid is of. */
  readonly namespace: string
  readonly pid: number
  readonly startedAt: string
  readonly connection: string
}

/**
 * The child processes of this machine by their marks. A mark says whose child it is, and the kernel says whether
 * that owner lives: so what a killed gateway left is known without a record, from the moment it was started.
 */
export class Children {
  readonly #instance: string
  readonly #namespace = pidNamespace()
  readonly #owner: string

  constructor(instance: string) {
    this.#instance = instance
    this.#owner = `${this.#namespace}-${process.pid}-${identify(process.pid)?.startedAt ?? 0}`
  }

  /** A mark for the next start of a connection; no two are the same. */
  mark(connection: string): string {
    return [this.#instance, this.#owner, connection, randomBytes(6).toString('hex')].join('/')
  }

  /** Ends what gateways left on this machine that do not run any more, of whatever installation. */
  async endOrphans(): Promise<void> {
    await this.#end((mark, seen) => !seen.some((one) => isOwner(one, mark)))
  }

  /** Ends what a gateway of this machine started for a connection that it has lost: it may hang, and live. */
  async endLeft(connection: string, instance: string): Promise<void> {
    if (instance === this.#instance) return
    await this.#end((mark) => mark.connection === connection && mark.instance === instance)
  }

  async #end(wanted: (mark: Mark, seen: readonly Seen[]) => boolean): Promise<void> {
    const noted = new Set<string>()
    await endAll(async () => {
      const seen = await look()
      const marked = seen.filter((one) => {
        const mark = readMark(one.marker)
        return mark?.namespace === this.#namespace && wanted(mark, seen)
      })
      // Every session with a marked process is of our making: children lead their own from the start.
      const sessions = new Set(marked.map((one) => one.session))
      const family = familyOf(
        seen,
        (one) => sessions.has(one.session) || noted.has(`${one.pid}/${one.startedAt}`),
      )
      for (const one of family) noted.add(`${one.pid}/${one.startedAt}`)
      return family
    }, GRACE_MS)
  }
}

function isOwner(one: Seen, mark: Mark): boolean {
  return one.pid === mark.pid && one.startedAt === mark.startedAt
}

function readMark(text: string | undefined): Mark | undefined {
  const found = /^([^/]+)\/([^/-]+)-(\d+)-(\d+)\/([^/]+)\/[0-9a-f]+$/.exec(text ?? '')
  if (found === null) return undefined
  const [, instance = '', namespace = '', pid, startedAt = '', connection = ''] = found
  return { instance, namespace, pid: Number(pid), startedAt, connection }
}

/** Pids of two containers mean different processes, also where one sees those of the other. */
function pidNamespace(): string {
  try {
    return /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? 'none'
  } catch {
    return 'none'
  }
}
