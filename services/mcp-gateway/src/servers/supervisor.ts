import { connect } from '@althing/mcp-client/connect'
import type { Connection, ConnectOptions } from '@althing/mcp-client/connection'
import type { Era, Target } from '@althing/mcp-client/target'
import type { ToolListing } from '@althing/mcp-client/tool-list'
import { AppError, type ErrorCode } from '@althing/protocol/errors'
import type { Failure } from '@althing/protocol/model/problem'
import { type Clock, isoNow } from '@althing/runtime/clock'
import { asAppError } from '@althing/runtime/errors'
import type { ConnectionReport } from '../db/connections.ts'
import { Backoff, type BackoffOptions } from './backoff.ts'
import { unlessAborted } from './unless-aborted.ts'

/** Faults that another try does not mend: a person must. */
const LASTING: ReadonlySet<ErrorCode> = new Set([
  'command_not_found',
  'isolation_unavailable',
  'variable_missing',
  'secret_unreadable',
  'invalid_request',
  'address_not_allowed',
  'needs_auth',
])

export interface SupervisorOptions {
  readonly generation: number
  /** Whether it ran before with this configuration: then a failed start is tried again. */
  readonly everRan: boolean
  readonly clock: Clock
  readonly backoff: BackoffOptions
  /** Where to connect; thrown faults count as a failed start. */
  readonly target: () => Promise<Target>
  readonly connect: Omit<ConnectOptions, 'target' | 'onToolsChanged' | 'onClose' | 'signal' | 'knownEra'>
  readonly onTools: (listing: ToolListing) => Promise<void>
  /** Writes a state down before it is in force; rejects when this instance must stop. */
  /** It runs, and may be called on. */
  readonly onRunning: (connection: Connection) => void
  readonly onState: (report: ConnectionReport) => Promise<void>
  /** Takes the server's secrets out of a text: it may have echoed them. */
  readonly mask: (text: string) => string
  /** A line for the server's log. */
  readonly onLifecycle: (text: string) => void
  /** It ended for good; what is still held may be sent on. */
  readonly onStopped: () => Promise<void>
}

/** The state of a supervised connection; only `running` has a connection to call on. */
type State =
  | { readonly kind: 'starting' }
  | { readonly kind: 'running'; readonly connection: Connection }
  | { readonly kind: 'backing_off'; readonly until: number; readonly error: AppError }
  | { readonly kind: 'failed' | 'needs_auth'; readonly error: AppError }
  | { readonly kind: 'stopped' }

/** Keeps one connection alive: starts it, watches it, starts it again with growing pauses, gives up loudly. */
export class Supervisor implements AsyncDisposable {
  readonly #options: SupervisorOptions
  readonly #backoff: Backoff
  readonly #stopping = new AbortController()
  readonly #watchers = new Set<() => void>()
  #state: State = { kind: 'starting' }
  #knownEra: Era | undefined
  #everRan: boolean
  #done: Promise<void>

  constructor(options: SupervisorOptions) {
    this.#options = options
    this.#everRan = options.everRan
    this.#backoff = new Backoff(options.backoff)
    this.#done = this.#run()
  }

  get generation(): number {
    return this.#options.generation
  }

  /**
   * The connection to call on. Waits while it is starting, or about to start again within `patienceMs`; else throws
   * `server_not_running` or `needs_auth` with the reason.
   */
  async ready(patienceMs: number, signal: AbortSignal): Promise<Connection> {
    const { clock } = this.#options
    const deadline = clock.monotonic() + patienceMs
    for (;;) {
      const state = this.#state
      if (state.kind === 'running') return state.connection
      if (state.kind === 'needs_auth') throw state.error
      const late = clock.monotonic() >= deadline
      if (state.kind === 'failed' || (state.kind === 'backing_off' && (late || state.until > deadline))) {
        throw new AppError('server_not_running', `The server is not running: ${state.error.message}`)
      }
      if (state.kind === 'stopped' || late)
        throw new AppError('server_not_running', 'The server is not running.')
      await this.#change(deadline - clock.monotonic(), signal)
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort()
    await this.#done
    this.#become({ kind: 'stopped' })
    await this.#options.onStopped()
  }

  async #run(): Promise<void> {
    const { clock } = this.#options
    const { signal } = this.#stopping
    while (!signal.aborted) {
      const began = clock.monotonic()
      let error: AppError
      try {
        error = await this.#live(signal)
      } catch (thrown) {
        const { code, message } = asAppError(thrown)
        error = new AppError(code, this.#options.mask(message), { cause: thrown })
      }
      if (signal.aborted) return
      if (!(await this.#pause(error, clock.monotonic() - began, signal))) return
    }
  }

  /** One life of the connection: resolves with why it ended. */
  async #live(signal: AbortSignal): Promise<AppError> {
    const { onState, onTools, onLifecycle, generation } = this.#options
    this.#become({ kind: 'starting' })
    await unlessAborted(onState({ state: 'starting', generation }), signal)
    onLifecycle('starting')
    const closed = Promise.withResolvers<string>()
    let living: Connection | undefined
    const target = await unlessAborted(this.#options.target(), signal)
    await using connection = await connect({
      ...this.#options.connect,
      target,
      ...(this.#knownEra === undefined ? {} : { knownEra: this.#knownEra }),
      signal,
      onClose: (reason) => closed.resolve(reason),
      onToolsChanged: async () => {
        if (!living) return
        const listing = await living.listTools(signal).catch(() => undefined)
        if (listing) await onTools(listing).catch(() => {})
      },
    })
    this.#knownEra = connection.era
    const listing = await connection.listTools(
      AbortSignal.any([signal, AbortSignal.timeout(this.#options.connect.startTimeoutMs)]),
    )
    await unlessAborted(onTools(listing), signal)
    living = connection
    const running = onState({
      state: 'running',
      generation,
      era: connection.era,
      protocolVersion: connection.protocolVersion,
      capabilities: connection.capabilities,
      ...(connection.instructions === undefined ? {} : { instructions: connection.instructions }),
      ...(connection.process ? { process: connection.process } : {}),
    })
    await unlessAborted(running, signal)
    this.#everRan = true
    this.#become({ kind: 'running', connection })
    this.#options.onRunning(connection)
    onLifecycle(`running: ${listing.tools.length} tools, ${connection.protocolVersion} (${connection.era})`)
    if (listing.truncated) onLifecycle(`the tool list is not whole: ${listing.truncated}`)
    for (const problem of listing.problems)
      onLifecycle(`the tool ${problem.tool} is left out: ${problem.detail}`)
    const stop = new Promise<undefined>((resolve) =>
      signal.addEventListener('abort', () => resolve(undefined), { once: true }),
    )
    const reason = await Promise.race([closed.promise, stop])
    this.#become({ kind: 'starting' })
    if (reason === undefined) return new AppError('cancelled', 'stopped')
    onLifecycle(reason)
    return new AppError('connection_lost', `The server ${reason}.`)
  }

  /** Waits before the next start. False when there will be none. */
  async #pause(error: AppError, ranMs: number, signal: AbortSignal): Promise<boolean> {
    const { clock, onState, onLifecycle, generation } = this.#options
    const failure: Failure = { code: error.code, detail: error.message, at: isoNow(clock) }
    // What spoke MCP before may answer with an error page while it is being restarted.
    const lasting = LASTING.has(error.code) || !this.#everRan
    const waitMs = lasting ? undefined : this.#backoff.afterFailure(clock.now(), ranMs)
    try {
      if (waitMs === undefined) {
        const kind = error.code === 'needs_auth' ? 'needs_auth' : 'failed'
        const detail = lasting
          ? error.message
          : `It keeps ending: ${error.message} It was started more than ten times within an hour.`
        onLifecycle(kind === 'needs_auth' ? 'needs a sign-in' : `failed: ${detail}`)
        await unlessAborted(onState({ state: kind, generation, error: { ...failure, detail } }), signal)
        this.#become({ kind, error })
        return false
      }
      const until = clock.monotonic() + waitMs
      const nextTryAt = new Date(clock.now() + waitMs)
      await unlessAborted(onState({ state: 'backing_off', generation, error: failure, nextTryAt }), signal)
      this.#become({ kind: 'backing_off', until, error })
      onLifecycle(`next try in ${(waitMs / 1000).toFixed(1)} s`)
      await clock.sleep(Math.max(0, until - clock.monotonic()), signal)
      return true
    } catch {
      // Stopped, or no longer the owner: either way somebody else decides from here.
      return false
    }
  }

  #become(state: State): void {
    this.#state = state
    for (const wake of [...this.#watchers]) wake()
  }

  async #change(withinMs: number, signal: AbortSignal): Promise<void> {
    const changed = Promise.withResolvers<void>()
    const wake = () => changed.resolve()
    const timer = setTimeout(wake, Math.max(0, withinMs))
    this.#watchers.add(wake)
    signal.addEventListener('abort', wake, { once: true })
    await changed.promise
    clearTimeout(timer)
    this.#watchers.delete(wake)
    signal.removeEventListener('abort', wake)
    signal.throwIfAborted()
  }
}
