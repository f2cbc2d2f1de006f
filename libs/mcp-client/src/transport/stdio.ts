import { randomUUID } from 'node:crypto'
import { statSync } from 'node:fs'
import type { Writable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { AppError } from '@althing/protocol/errors'
import type { JSONRPCMessage, MessageExtraInfo, Transport } from '@modelcontextprotocol/client'
import { execa, type ResultPromise } from 'execa'
import { Descendants, MARKER } from './descendants.ts'
import { Frames } from './frames.ts'
import { identify, type ProcessIdentity } from './process-group.ts'

/** A line of a server's log. `tag` is `stderr`, `stdout`, `lifecycle` or a level of `notifications/message`. */
export interface LogRecord {
  readonly tag: string
  readonly text: string
}

export interface StdioOptions {
  readonly command: string
  readonly args: readonly string[]
  /** The whole environment of the child: nothing is inherited. */
  readonly env: Readonly<Record<string, string>>
  readonly cwd?: string
  /** What its descendants are known by, in this process and in the next; unique. Default: made up. */
  readonly marker?: string
  /** The command is a wrapper that waits for the real one and ends with it. */
  readonly wrapped?: boolean
  readonly maxMessageBytes: number
  readonly onLog: (record: LogRecord) => void
  /** Milliseconds between the steps of stopping: stdin closed, SIGTERM, SIGKILL. */
  readonly graceMs: number
}

const LONGEST_LOG_LINE = 64 * 1024
/** After the process ended its last words may still be in the pipe; a grandchild may hold it open for ever. */
const LAST_WORDS_MS = 50
const OVERSIZED_ID = /"id"\s*:\s*(\d+|"\d+")/

type Child = ResultPromise<{ buffer: false; reject: false; encoding: 'buffer' }>

/**
 * An MCP server as a child process in a session of its own. Ends when the process does, whatever still holds the
 * pipes, and takes all that it started with it.
 */
export class StdioTransport implements Transport {
  /** `line` is what the message was parsed from, when it stood alone on it. */
  onmessage?: (message: JSONRPCMessage, extra?: MessageExtraInfo & { readonly line?: Buffer }) => void
  onclose?: () => void
  onerror?: (error: Error) => void
  /** A response was too long to take: its id, when it can be told. */
  onoversized?: (id: number | undefined, bytes: number) => void
  readonly #options: StdioOptions
  #child: Child | undefined
  #identity: ProcessIdentity | undefined
  #descendants: Descendants | undefined
  #exit: string | undefined
  #askedToEnd = false
  #corked = false
  #exited = Promise.withResolvers<void>()

  constructor(options: StdioOptions) {
    this.#options = options
  }

  /** The process, once started. */
  get identity(): ProcessIdentity | undefined {
    return this.#identity
  }

  /** Why it ended, once it has. */
  get exitReason(): string | undefined {
    return this.#exit
  }

  /** True when it ended before anybody asked it to. */
  get exitedByItself(): boolean {
    return this.#exit !== undefined && !this.#askedToEnd
  }

  async start(): Promise<void> {
    const { command, args, env, cwd, wrapped = false, marker = randomUUID() } = this.#options
    const child = execa(command, args, {
      env: { ...env, [MARKER]: marker },
      extendEnv: false,
      ...(cwd === undefined ? {} : { cwd }),
      stdin: 'pipe',
      stdout: 'pipe',
      stderr: 'pipe',
      buffer: false,
      encoding: 'buffer',
      reject: false,
      detached: true,
      cleanup: false,
    }) as Child
    this.#child = child
    if (child.pid === undefined) {
      const result = await child
      throw spawnFault(this.#options, (result as { code?: string }).code, result.message)
    }
    this.#identity = identify(child.pid)
    this.#descendants = new Descendants({ leader: child.pid, marker, wrapped })
    // A server that closes its stdin must not end this process; its exit tells the story.
    child.stdin.on('error', () => {})
    this.#readStdout(child)
    this.#readStderr(child)
    child.nodeChildProcess.once(
      'exit',
      (code, signal) => void this.#onExit(signal ? `killed by ${signal}` : `exited with code ${code}`),
    )
    child.catch(() => {})
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin
    if (stdin === undefined || this.#exit !== undefined || !stdin.writable) {
      throw new AppError('connection_lost', `The server ${this.#exit ?? 'does not read its input'}`)
    }
    this.#cork(stdin)
    if (stdin.write(`${JSON.stringify(message)}\n`)) return
    await Promise.race([new Promise((resolve) => stdin.once('drain', resolve)), this.#exited.promise])
  }

  /** What is sent within one turn of the event loop leaves in one write. */
  #cork(stdin: Writable): void {
    if (this.#corked) return
    this.#corked = true
    stdin.cork()
    setImmediate(() => {
      this.#corked = false
      stdin.uncork()
    })
  }

  /** Stops the server: its stdin is closed, then SIGTERM, then SIGKILL to all of it. Resolves when it is gone. */
  async close(): Promise<void> {
    const child = this.#child
    if (child?.pid === undefined) return
    const { graceMs } = this.#options
    if (this.#exit === undefined) {
      this.#askedToEnd = true
      await this.#descendants?.note()
    }
    child.stdin.end()
    await Promise.race([this.#exited.promise, wait(graceMs, undefined, { ref: false })])
    if (await this.#descendants?.end(graceMs)) await this.#exited.promise
    else this.#options.onLog({ tag: 'lifecycle', text: 'some of its processes cannot be ended' })
  }

  async #onExit(reason: string): Promise<void> {
    const child = this.#child
    const stdout = child?.stdout
    if (stdout && !stdout.readableEnded) {
      await Promise.race([
        new Promise((resolve) => stdout.once('end', resolve)),
        wait(LAST_WORDS_MS, undefined, { ref: false }),
      ])
    }
    this.#exit = reason
    this.onclose?.()
    await this.#descendants?.end(this.#options.graceMs)
    stdout?.destroy()
    child?.stderr.destroy()
    this.#exited.resolve()
  }

  #readStdout(child: Child): void {
    const frames = new Frames(this.#options.maxMessageBytes, {
      onLine: (line) => this.#onLine(line),
      onTooLong: (head, tail, bytes) => {
        const id =
          OVERSIZED_ID.exec(tail.toString('latin1'))?.[1] ?? OVERSIZED_ID.exec(head.toString('latin1'))?.[1]
        this.#options.onLog({
          tag: 'lifecycle',
          text: `a message of ${bytes} bytes was dropped: the limit is ${this.#options.maxMessageBytes}`,
        })
        this.onoversized?.(id === undefined ? undefined : Number(id.replaceAll('"', '')), bytes)
      },
    })
    child.stdout.on('data', (chunk: Buffer) => frames.push(chunk))
    child.stdout.once('end', () => frames.end())
    child.stdout.on('error', () => {})
  }

  #readStderr(child: Child): void {
    const log = (line: Buffer) => this.#options.onLog({ tag: 'stderr', text: line.toString('utf8') })
    const frames = new Frames(LONGEST_LOG_LINE, { onLine: log, onTooLong: (head) => log(head) })
    child.stderr.on('data', (chunk: Buffer) => frames.push(chunk))
    child.stderr.once('end', () => frames.end())
    child.stderr.on('error', () => {})
  }

  #onLine(line: Buffer): void {
    const messages = parseLine(line)
    for (const message of messages) {
      if (message === undefined)
        this.#options.onLog({ tag: 'stdout', text: line.subarray(0, LONGEST_LOG_LINE).toString('utf8') })
      else if (messages.length === 1) this.onmessage?.(message, { line })
      else this.onmessage?.(message)
    }
  }
}

/** The JSON-RPC messages of a line: one, several (a batch of older versions), or undefined for anything else. */
function parseLine(line: Buffer): (JSONRPCMessage | undefined)[] {
  let value: unknown
  try {
    value = JSON.parse(line.toString('utf8'))
  } catch {
    return [undefined]
  }
  const values = Array.isArray(value) ? value : [value]
  return values.length === 0 ? [undefined] : values.map((one) => (isMessage(one) ? one : undefined))
}

function isMessage(value: unknown): value is JSONRPCMessage {
  return (
    typeof value === 'object' &&
    value !== null &&
    ('method' in value || 'result' in value || 'error' in value)
  )
}

function spawnFault(options: StdioOptions, code: string | undefined, message: string | undefined): AppError {
  const { command, args, env, cwd } = options
  if (cwd !== undefined && !isFolder(cwd)) {
    return new AppError('start_failed', `The working directory ${cwd} does not exist.`)
  }
  if (code === 'ENOENT') {
    const hint =
      /\s/.test(command) && args.length === 0
        ? ' Put the program into "command" and the rest into "args".'
        : ''
    const where = command.includes('/')
      ? 'There is no such file'
      : `It is not on the PATH that was searched (${env.PATH || 'empty'})`
    return new AppError('command_not_found', `The command "${command}" was not found. ${where}.${hint}`)
  }
  if (code === 'EACCES')
    return new AppError('command_not_found', `The command "${command}" may not be executed.`)
  return new AppError(
    'start_failed',
    `"${command}" did not start: ${message?.split('\n', 1)[0] ?? code ?? 'unknown reason'}`,
  )
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}
