import { isHidden } from '../approvals/decide.ts'
import { rulesFor } from '../db/approval-rules.ts'
import { callOf } from '../db/sessions.ts'
import { messageView } from '../db/views.ts'
import { sessionGrants } from '../grants/grants.ts'
import { builtIns } from '../tools/built-ins.ts'
import { askModel } from './ask-model.ts'
import { askQuestion } from './cards.ts'
import type { Frame, FrameOutcome } from './frame.ts'
import { enterQueued, roundsOf } from './messages.ts'
import { runOpenCalls } from './run-calls.ts'
import { DEEPEST, runSubAgent } from './sub-agent.ts'
import { type OfferedTool, toolList } from './tool-list.ts'
import type { Turn } from './turn.ts'

/**
 * Runs an agent to the end of its work: rounds of calls, tools, model. What a worker that died left open is the first
 * thing that is seen to.
 */
export async function runFrame(turn: Turn, frame: Frame): Promise<FrameOutcome> {
  const { fence } = turn
  const most = frame.id === null ? turn.rounds : turn.subAgentRounds
  let rounds = await roundsOf(fence, frame.id)
  for (;;) {
    turn.signal.throwIfAborted()
    const before = await offer(turn, frame)
    if ((await runOpenCalls(turn, frame, before)) === 'waiting') return { kind: 'waiting' }
    if (rounds >= most) return { kind: 'spent', text: `It was ended after ${most} rounds.` }
    if (frame.id === null && rounds > 0) await letIn(turn)
    const text = await askModel(turn, frame, rounds === 0 ? before : await offer(turn, frame))
    rounds++
    if (text !== undefined) return { kind: 'said', text }
  }
}

/** What was said meanwhile enters the conversation. */
async function letIn({ fence, tell, session }: Turn): Promise<void> {
  for (const message of await enterQueued(fence))
    tell({ type: 'message.done', data: { session_id: session.id, message: messageView(message, [], null) } })
}

/** The tools of a round: the agent's own, and those of its active groups that no rule hides. */
async function offer(turn: Turn, frame: Frame): Promise<OfferedTool[]> {
  const { actor, db, session, gateway, agents } = turn
  const grants = sessionGrants(db, session.id, frame.id)
  const rules = await rulesFor(db, actor.user)
  const own = builtIns({
    gateway,
    agents,
    grants,
    findCall: (call) => callOf(db, session.id, call),
    ask: (call, question) => ask(turn, call, question),
    dispatch: frame.depth < DEEPEST ? (task) => runSubAgent(turn, frame, runFrame, task) : undefined,
  })
  const about = { agent: frame.agent, session: session.id }
  const shown = own.filter(({ name }) => !isHidden(rules, { ...about, name, serverId: undefined }))
  return toolList(
    actor,
    shown,
    grants,
    gateway,
    (tool, serverId) => !isHidden(rules, { ...about, name: tool.alias, serverId }),
  )
}

async function ask(turn: Turn, call: string, question: Parameters<typeof askQuestion>[3]): Promise<void> {
  const { fence, session, unattended, unattendedMs } = turn
  await askQuestion(fence, session, { id: call }, question, unattended ? unattendedMs : undefined)
  turn.onAsked(session.user_id)
}
