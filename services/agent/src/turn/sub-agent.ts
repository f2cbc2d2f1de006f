import { AppError } from '@althing/protocol/errors'
import { renderPrompt } from '../agents/agent-file.ts'
import { messageView } from '../db/views.ts'
import { dropFrame } from '../grants/grants.ts'
import { WAITS } from '../tools/built-in.ts'
import type { Dispatch } from '../tools/dispatch-agent.ts'
import { beginFrame, endFrame, type Frame, type FrameOutcome, frameOfCall } from './frame.ts'
import type { Turn } from './turn.ts'

/** A chat's own agent may have sub-agents, which may have some of their own, down to here. */
export const DEEPEST = 5

/**
 * Runs the sub-agent of a call to its answer, or goes on with one that was begun before. What it was granted ends
 * with it. Rejects with an AppError, which the agent above reads as the result of its call.
 */
export async function runSubAgent(
  turn: Turn,
  parent: Frame,
  run: (turn: Turn, frame: Frame) => Promise<FrameOutcome>,
  { callId, agent, prompt }: Dispatch,
): Promise<string | typeof WAITS> {
  if (parent.depth >= DEEPEST)
    throw new AppError('forbidden', `Agents may be nested ${DEEPEST} deep, and this is the last.`)
  const frame = (await frameOfCall(turn.fence, callId)) ?? (await begin())
  const id = frame.id ?? ''
  const outcome = await run(turn, frame).catch(async (thrown: unknown) => {
    if (thrown instanceof AppError && !turn.signal.aborted) await close('failed')
    throw thrown
  })
  if (outcome.kind === 'waiting') return WAITS
  await close(outcome.kind === 'said' ? 'done' : 'failed')
  if (outcome.kind === 'spent') throw new AppError('cancelled', outcome.text)
  return outcome.text

  async function begin(): Promise<Frame> {
    const servers = (await turn.gateway.servers(turn.actor)).filter((server) => server.enabled)
    const begun = await beginFrame(turn.fence, {
      call: callId,
      parent,
      agent: agent.name,
      systemPrompt: renderPrompt(agent, servers, []),
      prompt,
    })
    const { id: session } = turn.session
    const message = messageView(begun.message, [], callId)
    turn.tell({ type: 'message.created', data: { session_id: session, message } })
    return begun.frame
  }

  async function close(state: 'done' | 'failed'): Promise<void> {
    await endFrame(turn.fence, id, state)
    await dropFrame(turn.db, id)
  }
}
