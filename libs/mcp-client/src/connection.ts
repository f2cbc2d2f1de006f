import type { Answerer } from './ask.ts'
import type { RawAnswer } from './tap.ts'
import type { Era, Target } from './target.ts'
import type { TaskRef } from './tasks.ts'
import type { RawTool, ToolListing } from './tool-list.ts'
import type { ProcessIdentity } from './transport/process-group.ts'
import type { LogRecord } from './transport/stdio.ts'

export interface ConnectOptions {
  readonly target: Target
  readonly clientInfo: { readonly name: string; readonly version: string }
  /** Milliseconds for the whole of starting and shaking hands. */
  readonly startTimeoutMs: number
  /** Milliseconds after which a server that is silent on the probe counts as of the older era. */
  readonly probeTimeoutMs: number
  readonly maxMessageBytes: number
  readonly graceMs: number
  /** Declare sampling and roots to a server of the older era, and relay them to callers that offer them. */
  readonly relays?: boolean
  /** What was found out about this target before; saves the probe. */
  readonly knownEra?: Era
  readonly onLog: (record: LogRecord) => void
  /** Every notification that is not the protocol's own, synchronously and in order. */
  readonly onNotification: (method: string, params: unknown) => void
  readonly onToolsChanged: () => Promise<void>
  /** Prompts or resources changed, or a question by URL was settled: the protocol's own notification. */
  readonly onOfferChanged?: (method: string, params: unknown) => void
  /** The connection ended without being closed. */
  readonly onClose: (reason: string) => void
  readonly signal: AbortSignal
}

/** A request to a server on somebody's behalf. */
export interface CallRequest {
  readonly method: string
  readonly params: Readonly<Record<string, unknown>>
  /** Members of `_meta`, such as the trace context. */
  readonly meta?: Readonly<Record<string, unknown>>
  /** Whose call it is: what a server asks during a call reaches its caller and nobody else. */
  readonly caller: string
  /** Milliseconds; the clock stands still while the caller is asked something, up to `capMs` in all. */
  readonly timeoutMs: number
  readonly capMs: number
  readonly signal: AbortSignal
  /** Answers what the server asks meanwhile. Without it elicitations are cancelled, other questions refused. */
  readonly answer?: Answerer
  /** `return`: a result that asks for input is the caller's to deal with. */
  readonly inputRequired?: 'return'
  /** What the caller itself can do, for a server of the 2026-07-28 era. */
  readonly capabilities?: Readonly<Record<string, unknown>>
  /** The definition of the tool that is called. */
  readonly tool?: RawTool
  readonly onProgress?: (progress: { progress: number; total?: number; message?: string }) => void
  /** A log message that can be told to belong to this call. */
  readonly onNotification?: (method: string, params: unknown) => void
  /** The call became a task; stored before it is waited for. */
  readonly onTask?: (task: TaskRef) => Promise<void>
}

/** A live connection to one MCP server. */
export interface Connection extends AsyncDisposable {
  readonly era: Era
  readonly protocolVersion: string
  readonly serverInfo: { readonly name: string; readonly version: string }
  readonly capabilities: Readonly<Record<string, unknown>>
  readonly instructions: string | undefined
  /** The child process, for stdio. */
  readonly process: ProcessIdentity | undefined
  listTools(signal: AbortSignal): Promise<ToolListing>
  /** Resolves with the raw result, whatever its shape. Rejects with an AppError. */
  request(call: CallRequest): Promise<RawAnswer>
  /** Goes on polling a task and resolves with its result. Rejects as `request` does. */
  resumeTask(task: TaskRef, call: CallRequest): Promise<unknown>
  /** Resolves when nothing of it is left. */
  close(): Promise<void>
}
