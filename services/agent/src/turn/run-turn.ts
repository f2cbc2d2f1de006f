import { AppError } from '@althing/protocol/errors'
import type { Actor } from '@althing/protocol/model/actor'
import type { Clock } from '@althing/runtime/clock'
import { asAppError } from '@althing/runtime/errors'
import type { AgentFile } from '../agents/agent-file.ts'
import { callOf, grantNames, readMessages } from '../db/sessions.ts'
import type { AgentDb, SessionRow, ToolCallRow } from '../db/tables.ts'
import { messageView, toolCallView } from '../db/views.ts'
import { sessionGrants } from '../grants/grants.ts'
import { type ModelEndpoint, runRound } from '../llm/model.ts'
import { activateTools } from '../tools/activate-tools.ts'
import { listItems } from '../tools/list-items.ts'
import { readResult } from '../tools/read-result.ts'
import { conversationOf } from './conversation.ts'
import type { Gateway } from './gateway.ts'
import { GrowingText, type Tell } from './live.ts'
import { systemPrompt } from './prompt.ts'
import { isReadOnly, isRepeatable, runTool } from './run-tool.ts'
import { TurnStore } from './store.ts'
import { type OfferedTool, toolList } from './tool-list.ts'

const SAVE_EVERY_MS = 500

/** The reason of an abort that a person asked for; any other abort leaves the turn to another worker. */
export const STOPPED = new AppError('cancelled', 'The person stopped it.')

export interface TurnDeps {
  readonly db: AgentDb
  readonly clock: Clock
  readonly gateway: Gateway
  readonly agents: readonly AgentFile[]
  readonly endpoint: () => Promise<ModelEndpoint>
  readonly rounds: number
}

interface Turn extends TurnDeps {
  readonly session: SessionRow
  readonly turnId: string
  readonly actor: Actor
  readonly store: TurnStore
  readonly tell: Tell
  readonly signal: AbortSignal
}

/**
 * Runs a turn to its end: rounds of prompt, tools, model, calls. Each step is written down before the next begins, so
 * that another worker can go on where this one died; what was left open is the first thing that is seen to.
 */
export async function runTurn(
  deps: TurnDeps,
  session: SessionRow,
  turnId: string,
  tell: Tell,
  signal: AbortSignal,
): Promise<void> {
  const actor: Actor = { user: session.user_id, role: session.role }
  const turn: Turn = {
    ...deps,
    session,
    turnId,
    actor,
    store: new TurnStore(deps.db, session.id, turnId),
    tell,
    signal,
  }
  try {
    await told(turn, 'running')
    for (const message of await turn.store.openMessages())
      await turn.store.failMessage(message.id, message.content, 'stopped', null)
    for (let round = 0; round < turn.rounds; round++) {
      const offered = await offer(turn)
      await runOpenCalls(turn, offered)
      if (round > 0) await turn.store.enterQueued()
      const tools = round === 0 ? offered : await offer(turn)
      const more = await askModel(turn, tools)
      if (!more && (await turn.store.end('done', null))) return told(turn, 'idle', 'done')
    }
    await finish(turn, 'failed', `The turn was ended after ${turn.rounds} rounds.`)
  } catch (thrown) {
    if (signal.aborted && signal.reason !== STOPPED) throw thrown
    if (signal.aborted) return finish(turn, 'stopped', null)
    await finish(turn, 'failed', asAppError(thrown).message)
  }
}

function offer({ actor, db, session, gateway, agents }: Turn): Promise<OfferedTool[]> {
  const grants = sessionGrants(db, session.id)
  return toolList(
    actor,
    [
      activateTools(gateway, grants),
      listItems(gateway, agents),
      readResult((call) => callOf(db, session.id, call)),
    ],
    grants,
    gateway,
    () => true,
  )
}

/** One request to the model. True when it wants something done, or more was said meanwhile. */
async function askModel(turn: Turn, offered: readonly OfferedTool[]): Promise<boolean> {
  const { store, session, tell, signal, clock } = turn
  const endpoint = await turn.endpoint()
  const system = await systemPrompt(turn)
  const messages = conversationOf(await readMessages(turn.db, session.id))
  signal.throwIfAborted()
  const row = await store.beginMessage()
  tell({ type: 'message.created', data: { session_id: session.id, message: messageView(row, []) } })
  const growing = new GrowingText(tell, session.id, row.id)
  let saved = 0
  const saving = setInterval(() => {
    if (growing.text.length === saved) return
    saved = growing.text.length
    store.saveText(row.id, growing.text).catch(() => {})
  }, SAVE_EVERY_MS)
  try {
    const answer = await untilAborted(
      runRound({
        endpoint,
        system,
        messages,
        tools: offered,
        signal,
        clock,
        onText: (text) => growing.add(text),
      }),
      signal,
    )
    clearInterval(saving)
    growing.flush()
    const calls = answer.calls.map((call) => {
      const tool = offered.find((one) => one.name === call.name)
      const place =
        tool?.target.kind === 'mcp' ? { server: tool.target.server.name, tool: tool.target.tool.name } : {}
      return { ...call, ...place, repeatable: tool !== undefined && isRepeatable(tool) }
    })
    const done = await store.finishMessage(row.id, growing.text, calls, answer)
    tell({
      type: 'message.done',
      data: { session_id: session.id, message: messageView(done.message, done.calls) },
    })
    return done.calls.length > 0
  } catch (thrown) {
    clearInterval(saving)
    growing.flush()
    if (signal.aborted) await store.saveText(row.id, growing.text)
    else {
      const failed = await store.failMessage(row.id, growing.text, 'failed', asAppError(thrown).message)
      tell({ type: 'message.done', data: { session_id: session.id, message: messageView(failed, []) } })
    }
    throw thrown
  }
}

/** Runs the calls that have no result yet: in parallel when all only read, else one after the other. */
async function runOpenCalls(turn: Turn, offered: readonly OfferedTool[]): Promise<void> {
  const open = await turn.store.openCalls()
  const allRead = open.every((call) => isReadOnly(offered.find((tool) => tool.name === call.name)))
  if (allRead) await Promise.all(open.map((call) => runCall(turn, offered, call)))
  else for (const call of open) await runCall(turn, offered, call)
}

async function runCall(turn: Turn, offered: readonly OfferedTool[], call: ToolCallRow): Promise<void> {
  const { store, session, tell, signal, actor, gateway } = turn
  const about = { session_id: session.id, message_id: call.message_id }
  if (call.status === 'running' && !call.repeatable) {
    // A worker died after this was sent. It is never sent again by itself.
    const lost = await store.endCall(call.id, 'unknown')
    return tell({ type: 'tool.done', data: { ...about, tool_call: toolCallView(lost) } })
  }
  const running = await store.beginCall(call.id)
  tell({ type: 'tool.started', data: { ...about, tool_call: toolCallView(running) } })
  const outcome = await untilAborted(
    runTool(
      { actor, gateway, session: session.id },
      offered,
      {
        id: call.id,
        name: call.name,
        arguments: call.arguments as Record<string, unknown>,
        fault: call.arguments_fault,
      },
      signal,
      (progress) =>
        tell({ type: 'tool.progress', data: { session_id: session.id, tool_call_id: call.id, progress } }),
    ),
    signal,
  )
  const ended = await store.endCall(call.id, outcome.status, outcome)
  tell({ type: 'tool.done', data: { ...about, tool_call: toolCallView(ended) } })
  if (call.name === 'activate_tools') await told(turn, 'running')
}

/** A stop is felt at once, even where the other side takes its time to hear of it. */
async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  // First of all: what is not waited for any more may still fail, and an unheard rejection ends the process.
  work.catch(() => {})
  signal.throwIfAborted()
  const aborted = Promise.withResolvers<never>()
  const onAbort = () => aborted.reject(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([work, aborted.promise])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

/** Closes what is open, ends the turn, tells the pages. */
async function finish(turn: Turn, state: 'stopped' | 'failed', error: string | null): Promise<void> {
  const { store, session, tell } = turn
  for (const message of await store.openMessages()) {
    const ended = await store.failMessage(message.id, message.content, state, error)
    tell({ type: 'message.done', data: { session_id: session.id, message: messageView(ended, []) } })
  }
  for (const call of await store.openCalls()) {
    const ended = await store.endCall(call.id, 'cancelled')
    tell({
      type: 'tool.done',
      data: { session_id: session.id, message_id: call.message_id, tool_call: toolCallView(ended) },
    })
  }
  await store.end(state, error)
  await told(turn, 'idle', state, error)
}

async function told(
  turn: Turn,
  state: 'running' | 'idle',
  outcome?: 'done' | 'stopped' | 'failed',
  error?: string | null,
): Promise<void> {
  const { session, turnId, tell, db } = turn
  tell({
    type: 'turn.state',
    data: {
      session_id: session.id,
      turn_id: turnId,
      state,
      title: session.title,
      grants: await grantNames(db, session.id),
      ...(outcome === undefined ? {} : { outcome }),
      ...(error ? { error } : {}),
    },
  })
}
