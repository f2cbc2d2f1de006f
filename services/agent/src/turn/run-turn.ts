import { AppError } from '@althing/protocol/errors'
import { asAppError } from '@althing/runtime/errors'
import type { SessionRow } from '../db/tables.ts'
import { messageView, toolCallView } from '../db/views.ts'
import { allOpenCalls, endCall } from './calls.ts'
import { withdrawCards } from './cards.ts'
import { endTurn } from './end-turn.ts'
import { type Fence, TurnLost } from './fence.ts'
import { rootFrame } from './frame.ts'
import type { Tell } from './live.ts'
import { failMessage, openMessages } from './messages.ts'
import { runFrame } from './run-frame.ts'
import { STOPPED } from './stopped.ts'
import { tellState } from './tell-state.ts'
import type { Turn, TurnDeps } from './turn.ts'

const MOST_FAILURES = 5

/** A turn that this worker claimed. */
export interface ClaimedTurn {
  readonly session: SessionRow
  readonly fence: Fence
  readonly unattended: boolean
  /** How often it was given back by a fault. */
  readonly failures: number
  readonly tell: Tell
  readonly signal: AbortSignal
}

/**
 * Runs a turn to its end, or until it waits for a person: then it is parked, and whoever answers wakes it. Each step
 * is written down before the next begins, so that another worker can go on where this one died.
 */
export async function runTurn(deps: TurnDeps, claimed: ClaimedTurn): Promise<void> {
  const { session, fence, signal } = claimed
  const actor = { user: session.user_id, role: session.role }
  const turn: Turn = { ...deps, ...claimed, actor }
  try {
    await tellState(turn, 'running')
    await seeToWhatWasLeft(turn)
    for (;;) {
      signal.throwIfAborted()
      const answers = await fence.answers()
      const outcome = await runFrame(turn, rootFrame(session.agent))
      if (outcome.kind === 'spent') return await finish(turn, 'failed', outcome.text)
      if (outcome.kind === 'said' && (await endTurn(fence, 'done', null)))
        return await tellState(turn, 'idle', 'done')
      if (outcome.kind === 'waiting' && (await fence.park(answers))) return await tellState(turn, 'waiting')
    }
  } catch (thrown) {
    if (thrown instanceof TurnLost || (signal.aborted && signal.reason !== STOPPED)) throw thrown
    if (signal.aborted) return finish(turn, 'stopped', null)
    // What is no AppError is a fault of our own house, such as a database that restarts: it is begun again, but not
    // for ever.
    if (!(thrown instanceof AppError) && claimed.failures < MOST_FAILURES) throw thrown
    await finish(turn, 'failed', asAppError(thrown).message)
  }
}

/** What a worker that died left: half an answer stays what it is, and nobody knows what became of a call it sent. */
async function seeToWhatWasLeft({ fence, session, tell }: Turn): Promise<void> {
  for (const message of await openMessages(fence))
    await failMessage(fence, message.id, message.content, 'stopped', null)
  for (const call of await allOpenCalls(fence)) {
    if (call.status !== 'running' || call.repeatable) continue
    // It is never sent again by itself.
    const lost = await endCall(fence, call.id, 'unknown')
    const data = { session_id: session.id, message_id: call.message_id, tool_call: toolCallView(lost) }
    tell({ type: 'tool.done', data })
  }
}

/** Closes what is open, ends the turn, tells the pages. */
async function finish(turn: Turn, state: 'stopped' | 'failed', error: string | null): Promise<void> {
  const { fence, session, tell } = turn
  for (const message of await openMessages(fence)) {
    const ended = await failMessage(fence, message.id, message.content, state, error)
    const data = { session_id: session.id, message: messageView(ended, [], null) }
    tell({ type: 'message.done', data })
  }
  for (const call of await allOpenCalls(fence)) {
    const ended = await endCall(fence, call.id, 'cancelled')
    const data = { session_id: session.id, message_id: call.message_id, tool_call: toolCallView(ended) }
    tell({ type: 'tool.done', data })
  }
  if (await withdrawCards(fence)) turn.onAsked(session.user_id)
  await endTurn(fence, state, error)
  await tellState(turn, 'idle', state, error)
}
