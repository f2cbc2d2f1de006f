import { type ChildProcess, spawn } from 'node:child_process'
import { createWriteStream, type WriteStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { groupGone, signalGroup } from '@althing/mcp-client/transport/process-group'
import type { Say } from './fault.ts'

export interface Program {
  readonly name: string
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly cwd?: string
  /** Where its output goes; kept from start to start. */
  readonly logFile: string
  /** What asks it to end in order, and how long that may take. */
  readonly stopSignal: NodeJS.Signals
  readonly stopWithinMs: number
}

const QUICK_DEATH_MS = 5_000
const MOST_QUICK_DEATHS = 3
const FIRST_RESTART_MS = 100
const TAIL_LINES = 40

export interface SupervisionHooks {
  readonly say: Say
  /** Called with each new process, before anything else can happen to it. */
  readonly onStart: (pid: number) => void
  /** Called when it died too often: whoever owns the whole must stop it. */
  readonly onGivenUp: (name: string, tail: string) => void
}

/** A program in a process group of its own, started again when it dies. */
export class Supervised implements AsyncDisposable {
  readonly program: Program
  readonly #hooks: SupervisionHooks
  readonly #tail: string[] = []
  readonly #log: WriteStream
  readonly #stopping = new AbortController()
  #child: ChildProcess | undefined
  #exited: Promise<void> = Promise.resolve()
  #quickDeaths = 0
  #held = false

  constructor(program: Program, hooks: SupervisionHooks) {
    this.program = program
    this.#hooks = hooks
    this.#log = createWriteStream(program.logFile, { flags: 'a', mode: 0o600 })
    this.#start()
  }

  get pid(): number | undefined {
    return this.#child?.pid
  }

  /** The last lines of its output. */
  tail(): string {
    return this.#tail.join('\n')
  }

  /** Sends a signal to its whole group, as an accident would; it is started again. */
  async kill(signal: NodeJS.Signals): Promise<void> {
    const exited = this.#exited
    if (this.#child?.pid !== undefined) signalGroup(this.#child.pid, signal)
    if (signal === 'SIGKILL') await exited
  }

  /** Stops it and keeps it stopped until `resume`. */
  async hold(): Promise<void> {
    this.#held = true
    await this.#end()
  }

  resume(): void {
    this.#held = false
    this.#start()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort()
    await this.#end()
    await new Promise<void>((resolve) => this.#log.end(() => resolve()))
  }

  #start(): void {
    const { command, args, env, cwd } = this.program
    const began = performance.now()
    const child = spawn(command, args, {
      env,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(cwd === undefined ? {} : { cwd }),
    })
    this.#child = child
    if (child.pid !== undefined) this.#hooks.onStart(child.pid)
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on('line', (line) => this.#keep(line))
    }
    this.#exited = new Promise((resolve) => {
      let done = false
      const onEnd = (how: string) => {
        if (done) return
        done = true
        resolve()
        void this.#onExit(how, performance.now() - began)
      }
      child.once('error', (error) => onEnd(error.message))
      child.once('exit', (code, signal) => onEnd(signal ?? `code ${code}`))
    })
  }

  #keep(line: string): void {
    this.#tail.push(line)
    if (this.#tail.length > TAIL_LINES) this.#tail.shift()
    if (this.#log.writable) this.#log.write(`${line}\n`)
  }

  async #onExit(how: string, livedMs: number): Promise<void> {
    if (this.#stopping.signal.aborted || this.#held) return
    const { name } = this.program
    this.#quickDeaths = livedMs < QUICK_DEATH_MS ? this.#quickDeaths + 1 : 0
    if (this.#quickDeaths >= MOST_QUICK_DEATHS) {
      this.#hooks.onGivenUp(name, this.tail())
      return
    }
    this.#hooks.say(`${name} ended (${how}); starting it again`)
    const pause = this.#quickDeaths === 0 ? 0 : FIRST_RESTART_MS * 4 ** (this.#quickDeaths - 1)
    await wait(pause, undefined, { signal: this.#stopping.signal }).catch(() => {})
    if (!this.#stopping.signal.aborted && !this.#held) this.#start()
  }

  async #end(): Promise<void> {
    const pid = this.#child?.pid
    if (pid === undefined) return
    // The leader alone is asked: it knows best in which order its own children should end.
    if (this.#child?.exitCode === null && this.#child.signalCode === null)
      this.#child.kill(this.program.stopSignal)
    const inTime = await Promise.race([
      this.#exited.then(() => true),
      wait(this.program.stopWithinMs, false, { ref: false }),
    ])
    if (inTime && (await groupGone(pid, 200))) return
    signalGroup(pid, 'SIGKILL')
    await this.#exited
    await groupGone(pid, 1000)
  }
}
