import type { Connection } from '@althing/mcp-client/connection'
import type { TaskRef } from '@althing/mcp-client/tasks'
import type { CallResult } from '@althing/protocol/model/tool'
import { type Clock, isoNow } from '@althing/runtime/clock'
import { asAppError } from '@althing/runtime/errors'
import type { GatewayDb, TaskRow } from '../db/tables.ts'
import { endTask, insertTask, workingTasks } from '../db/tasks.ts'
import type { Elicitations } from '../elicitation/elicitations.ts'

/** Faults of the way to the server: the task itself may still be at work. */
const OF_THE_WAY = new Set(['connection_lost', 'owner_lost', 'unavailable'])

export interface TaskCall {
  readonly callId: string
  readonly connectionId: string
  readonly user: string
  readonly sessionId: string | undefined
  readonly tool: string
}

export interface TasksOptions {
  readonly db: GatewayDb
  readonly clock: Clock
  readonly elicitations: Elicitations
  /** Makes what callers get of a raw result. */
  readonly read: (
    raw: unknown,
    owner: { user: string; serverId: string; callId: string },
  ) => Promise<CallResult>
}

/**
 * Calls that became tasks at their server. The task's id is stored before it is waited for, so that polling goes on
 * after the connection, or the gateway itself, was lost; the outcome waits in its row for whoever asks.
 */
export class Tasks {
  readonly #options: TasksOptions

  constructor(options: TasksOptions) {
    this.#options = options
  }

  async begin(call: TaskCall, ref: TaskRef): Promise<void> {
    await insertTask(this.#options.db, {
      call_id: call.callId,
      connection_id: call.connectionId,
      user: call.user,
      session_id: call.sessionId ?? null,
      tool: call.tool,
      ref,
    })
  }

  /** Writes down how a call ended, if it was a task. */
  async end(callId: string, ended: Promise<CallResult>): Promise<void> {
    const { db, clock } = this.#options
    try {
      await endTask(db, callId, 'done', await ended)
    } catch (thrown) {
      const { code, message } = asAppError(thrown)
      if (!OF_THE_WAY.has(code))
        await endTask(db, callId, 'failed', { code, detail: message, at: isoNow(clock) }).catch(() => {})
    }
  }

  /** Goes on with every task of a connection that is up again. */
  async resume(connectionId: string, serverId: string, connection: Connection): Promise<void> {
    const rows = await workingTasks(this.#options.db, connectionId)
    await Promise.all(rows.map((row) => this.#goOn(row, serverId, connection)))
  }

  async #goOn(row: TaskRow, serverId: string, connection: Connection): Promise<void> {
    const { elicitations, read } = this.#options
    const { call_id: callId, user } = row
    const sessionId = row.session_id ?? undefined
    const call = {
      method: 'tools/call',
      params: {},
      caller: user,
      timeoutMs: Math.max(1, row.ref.deadline - Date.now()),
      capMs: Math.max(1, row.ref.deadline - Date.now()),
      signal: new AbortController().signal,
      answer: (ask: { params: Readonly<Record<string, unknown>> }, signal: AbortSignal) =>
        elicitations.ask({ user, serverId, callId, sessionId }, ask.params, signal),
    }
    const ended = connection.resumeTask(row.ref, call).then((raw) => read(raw, { user, serverId, callId }))
    await this.end(callId, ended)
  }
}
