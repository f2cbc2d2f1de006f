import { randomUUIDv7 } from 'node:crypto'
import type { FrameRow, MessageRow } from '../db/tables.ts'
import type { Fence } from './fence.ts'

/** One agent at work in a turn: the chat's own, or a sub-agent that a call began. */
export interface Frame {
  /** Null for the chat's own agent. */
  readonly id: string | null
  /** The call of `dispatch_agent` that began it. */
  readonly callId: string | null
  readonly agent: string
  /** 0 for the chat's own agent. */
  readonly depth: number
  /** Of a sub-agent: rendered when it began. */
  readonly systemPrompt: string | null
}

/** What an agent said last; that it waits for a person; or that its rounds are spent. */
export type FrameOutcome =
  | { readonly kind: 'said'; readonly text: string }
  | { readonly kind: 'waiting' }
  | { readonly kind: 'spent'; readonly text: string }

export function rootFrame(agent: string): Frame {
  return { id: null, callId: null, agent, depth: 0, systemPrompt: null }
}

/** The run of a call that was begun before, if any: a worker that takes over goes on with it. */
export async function frameOfCall({ db }: Fence, call: string): Promise<Frame | undefined> {
  const row = await db.selectFrom('frames').selectAll().where('call_id', '=', call).executeTakeFirst()
  return row === undefined ? undefined : frameOf(row)
}

/** Begins the run of a sub-agent with what it is asked to do. */
export function beginFrame(
  fence: Fence,
  begun: {
    readonly call: string
    readonly parent: Frame
    readonly agent: string
    readonly systemPrompt: string
    readonly prompt: string
  },
): Promise<{ frame: Frame; message: MessageRow }> {
  return fence.step('begin-frame', async (trx) => {
    const frame = await trx
      .insertInto('frames')
      .values({
        id: randomUUIDv7(),
        session_id: fence.session,
        turn_id: fence.turn,
        call_id: begun.call,
        parent_id: begun.parent.id,
        agent: begun.agent,
        depth: begun.parent.depth + 1,
        system_prompt: begun.systemPrompt,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    const message = await trx
      .insertInto('messages')
      .values({
        id: randomUUIDv7(),
        session_id: fence.session,
        turn_id: fence.turn,
        frame_id: frame.id,
        role: 'user',
        content: begun.prompt,
        status: 'done',
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    return { frame: frameOf(frame), message }
  })
}

export async function endFrame(fence: Fence, id: string, state: 'done' | 'failed'): Promise<void> {
  await fence.step('end-frame', (trx) =>
    trx.updateTable('frames').set({ state }).where('id', '=', id).execute(),
  )
}

function frameOf(row: FrameRow): Frame {
  return {
    id: row.id,
    callId: row.call_id,
    agent: row.agent,
    depth: row.depth,
    systemPrompt: row.system_prompt,
  }
}
