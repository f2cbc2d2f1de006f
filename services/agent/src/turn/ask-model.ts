import { asAppError } from '@althing/runtime/errors'
import { readMessages } from '../db/sessions.ts'
import { messageView } from '../db/views.ts'
import { type ModelCall, runRound } from '../llm/model.ts'
import { conversationOf } from './conversation.ts'
import type { Frame } from './frame.ts'
import { GrowingText } from './live.ts'
import { beginMessage, failMessage, finishMessage, saveText, type WantedCallRow } from './messages.ts'
import { systemPrompt } from './prompt.ts'
import { isRepeatable } from './run-tool.ts'
import { reached } from './steps.ts'
import type { OfferedTool } from './tool-list.ts'
import type { Turn } from './turn.ts'
import { untilAborted } from './until-aborted.ts'

const SAVE_EVERY_MS = 500

/** One request to the model. Gives its text when that is all; undefined when it wants something done. */
export async function askModel(
  turn: Turn,
  frame: Frame,
  offered: readonly OfferedTool[],
): Promise<string | undefined> {
  const { fence, session, tell, signal, clock } = turn
  const endpoint = await turn.endpoint()
  const system = frame.systemPrompt ?? (await systemPrompt(turn))
  const messages = conversationOf(await readMessages(turn.db, session.id, frame.id))
  signal.throwIfAborted()
  const row = await beginMessage(fence, frame.id)
  tell({
    type: 'message.created',
    data: { session_id: session.id, message: messageView(row, [], frame.callId) },
  })
  const growing = new GrowingText(tell, session.id, row.id)
  let saved = 0
  const saving = setInterval(() => {
    if (growing.text.length === saved) return
    saved = growing.text.length
    saveText(fence, row.id, growing.text).catch(() => {})
  }, SAVE_EVERY_MS)
  try {
    reached('ask-model')
    const round = runRound({
      endpoint,
      system,
      messages,
      tools: offered,
      signal,
      clock,
      onText: (text) => {
        if (growing.text === '') reached('first-text')
        growing.add(text)
      },
    })
    const answer = await untilAborted(round, signal)
    reached('model-answered')
    clearInterval(saving)
    growing.flush()
    const calls = answer.calls.map((call) => wanted(call, offered))
    const done = await finishMessage(fence, row.id, growing.text, calls, answer)
    tell({
      type: 'message.done',
      data: { session_id: session.id, message: messageView(done.message, done.calls, frame.callId) },
    })
    return done.calls.length > 0 ? undefined : growing.text
  } catch (thrown) {
    clearInterval(saving)
    growing.flush()
    if (signal.aborted) await saveText(fence, row.id, growing.text)
    else {
      const failed = await failMessage(fence, row.id, growing.text, 'failed', asAppError(thrown).message)
      tell({
        type: 'message.done',
        data: { session_id: session.id, message: messageView(failed, [], frame.callId) },
      })
    }
    throw thrown
  }
}

function wanted(call: ModelCall, offered: readonly OfferedTool[]): WantedCallRow {
  const tool = offered.find((one) => one.name === call.name)
  const place = tool?.target.kind === 'mcp' ? { server: tool.target.server, tool: tool.target.tool.name } : {}
  return { ...call, ...place, repeatable: tool !== undefined && isRepeatable(tool) }
}
