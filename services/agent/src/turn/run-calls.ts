import { decide } from '../approvals/decide.ts'
import { rulesFor } from '../db/approval-rules.ts'
import type { Decision, ToolCallRow } from '../db/tables.ts'
import { toolCallView } from '../db/views.ts'
import { WAITS } from '../tools/built-in.ts'
import { beginCall, endCall, openCalls } from './calls.ts'
import { askApproval } from './cards.ts'
import type { Frame } from './frame.ts'
import { mayRunBeside, runTool } from './run-tool.ts'
import { tellState } from './tell-state.ts'
import type { OfferedTool } from './tool-list.ts'
import type { Turn } from './turn.ts'
import { untilAborted } from './until-aborted.ts'

/** Sub-agents that one agent has at work at the same time, and calls beside each other. */
const AT_ONCE = 4

/** Of one round: `waiting` when something is left that a person must answer first. */
type Outcome = 'done' | 'waiting'

/**
 * Runs the calls that have no result yet. All are decided first, so that everything that waits for a person is shown
 * at once. Then they run beside each other when none can disturb another, else one after the other.
 */
export async function runOpenCalls(
  turn: Turn,
  frame: Frame,
  offered: readonly OfferedTool[],
): Promise<Outcome> {
  const open = await openCalls(turn.fence, frame.id)
  if (open.length === 0) return 'done'
  const decisions = await decideCalls(turn, frame, offered, open)
  const run = async (call: ToolCallRow): Promise<Outcome> => {
    if (call.status === 'waiting') return 'waiting'
    const decision = decisions.get(call.id) ?? call.decision ?? { by: 'default', action: 'allow' }
    if (decision.action === 'deny') return refuse(turn, call, decision)
    if (decision.action === 'ask') return ask(turn, offered, call, decision)
    return runCall(turn, offered, call, decision)
  }
  if (open.every((call) => mayRunBeside(toolOf(offered, call)))) {
    const outcomes = await beside(open, run)
    return outcomes.includes('waiting') ? 'waiting' : 'done'
  }
  const asked = open.filter((call) => decisions.get(call.id)?.action === 'ask')
  for (const call of asked) await run(call)
  for (const call of open) {
    if (asked.includes(call) || (await run(call)) === 'waiting') return 'waiting'
  }
  return 'done'
}

/** Of each call that has not begun: what the rules, else the defaults, say. */
async function decideCalls(
  { db, session, actor, gateway, otherwise }: Turn,
  frame: Frame,
  offered: readonly OfferedTool[],
  open: readonly ToolCallRow[],
): Promise<Map<string, Decision>> {
  const fresh = open.filter((call) => call.status === 'queued' && call.decision === null)
  if (fresh.length === 0) return new Map()
  const rules = await rulesFor(db, actor.user)
  const trusted = new Set<string>()
  if (fresh.some((call) => call.server_id !== null)) {
    // Hints of a server count when an administrator shared it: then somebody answers for what it says of itself.
    for (const server of await gateway.servers(actor)) if (server.scope === 'shared') trusted.add(server.id)
  }
  return new Map(
    fresh.map((call) => {
      const tool = toolOf(offered, call)
      const decision = decide(rules, {
        name: call.name,
        serverId: call.server_id ?? undefined,
        agent: frame.agent,
        session: session.id,
        arguments: call.arguments as Record<string, unknown>,
        otherwise: defaultOf(tool, trusted, otherwise),
      })
      return [call.id, decision]
    }),
  )
}

/** A call that cannot run anyway needs nobody's leave: the model is told what is wrong with it. */
function defaultOf(tool: OfferedTool | undefined, trusted: ReadonlySet<string>, otherwise: 'ask' | 'allow') {
  if (tool === undefined) return 'allow'
  if (tool.target.kind === 'built-in') return tool.target.builtIn.approval ?? 'allow'
  const { server, tool: definition } = tool.target
  return definition.annotations?.readOnlyHint === true && trusted.has(server.id) ? 'allow' : otherwise
}

async function refuse(turn: Turn, call: ToolCallRow, decision: Decision): Promise<Outcome> {
  const rule = decision.by === 'rule' ? ` (rule ${decision.rule})` : ''
  const outcome = { type: 'string' as const, value: `A rule does not allow this call${rule}.` }
  await beginCall(turn.fence, call.id, decision)
  told(turn, 'tool.done', await endCall(turn.fence, call.id, 'rejected', outcome))
  return 'done'
}

async function ask(
  turn: Turn,
  offered: readonly OfferedTool[],
  call: ToolCallRow,
  decision: Decision,
): Promise<Outcome> {
  const tool = toolOf(offered, call)
  const waiting = await askApproval(turn.fence, turn.session, call, {
    decision,
    annotations: tool?.target.kind === 'mcp' ? tool.target.tool.annotations : undefined,
    schema: tool?.schema ?? {},
    deadlineMs: turn.unattended ? turn.unattendedMs : undefined,
  })
  told(turn, 'tool.started', waiting)
  turn.onAsked(turn.session.user_id)
  return 'waiting'
}

async function runCall(
  turn: Turn,
  offered: readonly OfferedTool[],
  call: ToolCallRow,
  decision: Decision,
): Promise<Outcome> {
  const { fence, session, tell, signal, actor, gateway } = turn
  told(turn, 'tool.started', await beginCall(fence, call.id, decision))
  const wanted = {
    id: call.id,
    name: call.name,
    arguments: call.arguments as Record<string, unknown>,
    fault: call.arguments_fault,
  }
  const work = runTool({ actor, gateway, session: session.id }, offered, wanted, signal, (progress) =>
    tell({ type: 'tool.progress', data: { session_id: session.id, tool_call_id: call.id, progress } }),
  )
  const outcome = await untilAborted(work, signal)
  if (outcome === WAITS) return 'waiting'
  told(turn, 'tool.done', await endCall(fence, call.id, outcome.status, outcome))
  if (call.name === 'activate_tools' || call.name === 'deactivate_tools') await tellState(turn, 'running')
  return 'done'
}

function toolOf(offered: readonly OfferedTool[], call: ToolCallRow): OfferedTool | undefined {
  return offered.find((tool) => tool.name === call.name)
}

function told({ tell, session }: Turn, type: 'tool.started' | 'tool.done', call: ToolCallRow): void {
  tell({
    type,
    data: { session_id: session.id, message_id: call.message_id, tool_call: toolCallView(call) },
  })
}

/** A few at the same time; the others as places become free. The first failure is given when all have ended. */
async function beside<T, R>(items: readonly T[], run: (item: T) => Promise<R>): Promise<R[]> {
  const waiting = items.map((item, index) => ({ item, index }))
  const results: R[] = []
  const lane = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
      results[next.index] = await run(next.item)
  }
  const lanes = await Promise.allSettled(Array.from({ length: AT_ONCE }, lane))
  const failed = lanes.find((one) => one.status === 'rejected')
  if (failed !== undefined) throw failed.reason
  return results
}
