import { setTimeout as wait } from 'node:timers/promises'
import { AppError } from '@althing/protocol/errors'
import type { Answerer } from './ask.ts'
import { answerAll } from './input-rounds.ts'
import type { Era } from './target.ts'

export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks'

const SHORTEST_POLL_MS = 500
const LONGEST_POLL_MS = 30_000
const DEFAULT_POLL_MS = 1_000
const DEFAULT_DEADLINE_MS = 3_600_000
/** This many polls in a row may fail before the task counts as lost. */
const MOST_FAILED_POLLS = 5

/** A task at its server: enough to go on polling after everything here was started anew. */
export interface TaskRef {
  readonly taskId: string
  readonly era: Era
  /** Milliseconds between polls, as the server wishes. */
  readonly pollMs: number
  /** Epoch milliseconds after which nobody waits any more. */
  readonly deadline: number
}

interface Task {
  readonly taskId?: unknown
  readonly status?: unknown
  readonly statusMessage?: unknown
  readonly ttlMs?: unknown
  readonly ttl?: unknown
  readonly pollIntervalMs?: unknown
  readonly pollInterval?: unknown
  readonly result?: unknown
  readonly error?: { readonly message?: unknown }
  readonly inputRequests?: Readonly<Record<string, unknown>>
}

export interface TaskWire {
  readonly send: (
    method: string,
    params: Readonly<Record<string, unknown>>,
    signal?: AbortSignal,
  ) => Promise<unknown>
  readonly answer: Answerer | undefined
  readonly signal: AbortSignal
}

/** The task that a result stands for, in the words of either era; undefined when it is an ordinary result. */
export function taskIn(result: unknown, era: Era): TaskRef | undefined {
  const raw = result as (Task & { resultType?: unknown; task?: Task }) | null
  const task = era === 'modern' ? (raw?.resultType === 'task' ? raw : undefined) : raw?.task
  if (typeof task?.taskId !== 'string') return undefined
  const ttl = task.ttlMs ?? task.ttl
  return {
    taskId: task.taskId,
    era,
    pollMs: pollMs(task),
    deadline: Date.now() + (typeof ttl === 'number' && ttl > 0 ? ttl : DEFAULT_DEADLINE_MS),
  }
}

function pollMs(task: Task): number {
  const wanted = task.pollIntervalMs ?? task.pollInterval
  const ms = typeof wanted === 'number' ? wanted : DEFAULT_POLL_MS
  return Math.min(LONGEST_POLL_MS, Math.max(SHORTEST_POLL_MS, ms))
}

/**
 * Polls a task until it is over and gives its result. Rejects with `upstream_error` when it failed or was cancelled
 * at the server, `timeout` after its time to live, or the signal's reason; a task that nobody waits for any more is
 * cancelled at the server.
 */
export async function settleTask(ref: TaskRef, wire: TaskWire): Promise<unknown> {
  const late = AbortSignal.timeout(Math.max(1, ref.deadline - Date.now()))
  const signal = AbortSignal.any([wire.signal, late])
  try {
    return await poll(ref, { ...wire, signal })
  } catch (error) {
    if (!signal.aborted) throw error
    void wire.send('tasks/cancel', { taskId: ref.taskId }).catch(() => {})
    if (wire.signal.aborted) throw wire.signal.reason
    throw new AppError('timeout', 'The task was not done within its time to live.', { cause: error })
  }
}

async function poll(ref: TaskRef, wire: TaskWire): Promise<unknown> {
  const { taskId, era } = ref
  const answered = new Set<string>()
  let pauseMs = ref.pollMs
  for (let failed = 0; ; ) {
    await wait(pauseMs, undefined, { signal: wire.signal })
    let task: Task
    try {
      task = (await wire.send('tasks/get', { taskId }, wire.signal)) as Task
      failed = 0
    } catch (error) {
      wire.signal.throwIfAborted()
      const lasting = error instanceof AppError && error.retry === 'never'
      if (lasting || ++failed >= MOST_FAILED_POLLS) throw error
      continue
    }
    pauseMs = pollMs(task)
    if (task.status === 'failed' && era === 'modern') throw failure(task)
    if (task.status === 'cancelled') throw new AppError('upstream_error', 'The server cancelled the task.')
    if (task.status === 'completed' && era === 'modern') return task.result
    // Waiting for the result is also how an older server gets its questions through.
    if (era === 'legacy' && task.status !== 'working')
      return wire.send('tasks/result', { taskId }, wire.signal)
    if (task.status === 'input_required') await giveInput(taskId, task, answered, wire)
  }
}

async function giveInput(taskId: string, task: Task, answered: Set<string>, wire: TaskWire): Promise<void> {
  const open = Object.entries(task.inputRequests ?? {}).filter(([key]) => !answered.has(key))
  if (open.length === 0) return
  if (wire.answer === undefined)
    throw new AppError('upstream_error', 'The task asks for input, and nobody can be asked.')
  const inputResponses = await answerAll(Object.fromEntries(open), wire.answer, wire.signal)
  for (const [key] of open) answered.add(key)
  await wire.send('tasks/update', { taskId, inputResponses }, wire.signal)
}

function failure(task: Task): AppError {
  const word = task.error?.message ?? task.statusMessage
  return new AppError(
    'upstream_error',
    `The task failed: ${typeof word === 'string' ? word : 'no reason given'}`,
    {
      details: { rpc_data: task.error },
    },
  )
}
