import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Target } from '@althing/mcp-client/target'
import { AppError } from '@althing/protocol/errors'
import type {
  IsolationChoice,
  Isolation as IsolationLevel,
  Registration,
} from '@althing/protocol/model/server'
import type { GatewayConfig } from '../config.ts'
import { bubblewrapArgs, whyNoBubblewrap } from './bubblewrap.ts'
import { Cgroup } from './cgroup.ts'
import { commandPath } from './command-path.ts'
import { type Limits, prlimitOptions, processLimitOptions } from './limits.ts'
import { reachOf, realOrSame } from './reach.ts'

export interface IsolationPolicy {
  /** What `auto` means. `sandbox` is also the least that any server gets. */
  readonly level: 'process' | 'auto' | 'sandbox'
  /** Whether sandboxed servers keep the network of the host. */
  readonly network: boolean
  /** Folders that every sandboxed server may read. */
  readonly readable: readonly string[]
  /** Folders that a sandboxed server may write to when its arguments name them. */
  readonly writable: readonly string[]
  readonly limits: Limits
  /** The data folder: a sandboxed server sees of it what is its own. */
  readonly data: string
  /** Where this process finds its own tools, and the home that servers get outside of the sandbox. */
  readonly path: string
  readonly home: string
}

interface Means {
  readonly bwrap: string | undefined
  readonly whyNoSandbox: string | undefined
  readonly prlimit: string | undefined
  readonly cgroup: Cgroup | string
}

export interface Isolated {
  readonly target: Target
  readonly isolation: IsolationLevel
  /** A line that says what was done, if there is something to say. */
  readonly note?: string
}

type Stdio = Extract<Target, { kind: 'stdio' }>

/** Puts between a server's program and the host what this host has for it. */
export class Isolation {
  readonly #policy: IsolationPolicy
  readonly #means: Means

  private constructor(policy: IsolationPolicy, means: Means) {
    this.#policy = policy
    this.#means = means
  }

  /** Finds out once what works here; never throws. */
  static async open(policy: IsolationPolicy): Promise<Isolation> {
    const bwrap = commandPath('bwrap', policy.path)
    const whyNoSandbox = await whyNoBubblewrap(bwrap)
    const prlimit = process.platform === 'linux' ? commandPath('prlimit', policy.path) : undefined
    return new Isolation(policy, { bwrap, whyNoSandbox, prlimit, cgroup: Cgroup.open() })
  }

  /** The highest level that works on this host. */
  get best(): IsolationLevel {
    return this.#means.whyNoSandbox === undefined ? 'sandbox' : 'process'
  }

  get whyNoSandbox(): string | undefined {
    return this.#means.whyNoSandbox
  }

  /**
   * The target as it is really started. `owner` names the server's own folder; without it there is none.
   * Throws `isolation_unavailable` when the level that is required cannot be had.
   */
  apply(target: Target, choice: IsolationChoice, marker: string, owner?: string): Isolated {
    if (target.kind === 'http') return { target, isolation: 'none' }
    const level = this.#levelFor(choice)
    const marked = { ...target, marker }
    const program = commandPath(target.command, target.env.PATH ?? '', target.cwd)
    // What cannot be found is started as it is: that fails with the words that tell why.
    if (program === undefined) return { target: marked, isolation: level, note: `isolation: ${level}` }
    const found = { ...marked, command: program }
    const boxed = level === 'sandbox' ? this.#boxed(found, owner) : found
    return { target: this.#limited(boxed), isolation: level, note: this.#note(level) }
  }

  #levelFor(choice: IsolationChoice): 'process' | 'sandbox' {
    const { level } = this.#policy
    if (choice === 'process' && level === 'sandbox') {
      throw new AppError(
        'isolation_unavailable',
        'This instance starts programs in the sandbox only (ALTHING_ISOLATION).',
      )
    }
    const wanted = choice === 'auto' ? level : choice
    if (wanted === 'auto') return this.best === 'sandbox' ? 'sandbox' : 'process'
    const { whyNoSandbox } = this.#means
    if (wanted === 'sandbox' && whyNoSandbox !== undefined) {
      throw new AppError(
        'isolation_unavailable',
        `The sandbox is required, and cannot be had: ${whyNoSandbox}.`,
      )
    }
    return wanted
  }

  #boxed(target: Stdio, owner: string | undefined): Stdio {
    const { network, limits, readable, writable, data, home } = this.#policy
    const { bwrap = 'bwrap', prlimit } = this.#means
    const { command, args, env } = target
    const cwd = target.cwd === undefined ? undefined : resolve(target.cwd)
    const root = realOrSame(resolve(data))
    const folder = owner === undefined ? undefined : ownFolder(join(root, 'servers', owner))
    const closed = [root]
    const program = { program: command, args, path: env.PATH ?? '', cwd, home }
    const reach = reachOf({ ...program, always: readable, mayWrite: writable, closed })
    const box = bubblewrapArgs({ ...reach, folder, closed, cwd, network })
    const counted = processLimitOptions(limits)
    const inner = prlimit && counted.length > 0 ? [prlimit, ...counted, command] : [command]
    return {
      ...target,
      command: bwrap,
      args: [...box, ...inner, ...args],
      // The home of the gateway's user is not in the box.
      env: env.HOME === home ? { ...env, HOME: folder ?? '/tmp' } : env,
      wrapped: true,
    }
  }

  #limited(target: Stdio): Stdio {
    const { prlimit, cgroup } = this.#means
    const { limits } = this.#policy
    const line = [
      ...(typeof cgroup === 'string' ? [] : cgroup.place(tokenOf(target.marker), limits)),
      ...(prlimit === undefined ? [] : [prlimit, ...prlimitOptions(limits)]),
      target.command,
      ...target.args,
    ]
    const [command = target.command, ...args] = line
    return { ...target, command, args }
  }

  #note(level: 'process' | 'sandbox'): string {
    const { prlimit, cgroup } = this.#means
    const parts = [`isolation: ${level}`]
    if (prlimit === undefined) parts.push('open files are not limited: prlimit is not installed')
    if (typeof cgroup === 'string') parts.push(`memory is not limited: ${cgroup}`)
    return parts.join('; ')
  }
}

function ownFolder(path: string): string {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 })
    return path
  } catch (cause) {
    const reason = (cause as NodeJS.ErrnoException).code ?? 'unknown'
    const text = `The server's own folder ${path} cannot be made (${reason}).`
    throw new AppError('isolation_unavailable', text, { cause })
  }
}

function tokenOf(marker: string | undefined): string {
  return (marker ?? '').split('/').slice(-2).join('-')
}

export function openIsolation(config: GatewayConfig): Promise<Isolation> {
  return Isolation.open({
    level: config.ALTHING_ISOLATION,
    network: config.ALTHING_SANDBOX_NETWORK === 'host',
    readable: config.ALTHING_SANDBOX_READABLE.map((path) => resolve(path)),
    writable: config.ALTHING_SANDBOX_WRITABLE.map((path) => resolve(path)),
    limits: {
      processes: config.ALTHING_CHILD_MAX_PROCESSES,
      openFiles: config.ALTHING_CHILD_MAX_OPEN_FILES,
      memoryBytes: config.ALTHING_CHILD_MAX_MEMORY_BYTES,
    },
    data: config.ALTHING_DATA,
    path: config.PATH,
    home: config.HOME,
  })
}

export function choiceOf(registration: Registration): IsolationChoice {
  return registration.transport === 'stdio' ? (registration.isolation ?? 'auto') : 'auto'
}

/** The folder of a server's own; people with a connection each do not share one. */
export function folderOf(server: { id: string; identity: string }, connection: string): string {
  return server.identity === 'per-user' ? join(server.id, connection) : join(server.id, 'shared')
}
