import { AppError } from '@althing/protocol/errors'
import type { Actor } from '@althing/protocol/model/actor'
import { jsonb } from '@althing/runtime/db'
import { type AgentFile, renderPrompt } from '../agents/agent-file.ts'
import { grantNames } from '../db/sessions.ts'
import type { AgentDb, SessionRow } from '../db/tables.ts'
import type { Gateway } from './gateway.ts'

interface PromptDeps {
  readonly db: AgentDb
  readonly session: SessionRow
  readonly actor: Actor
  readonly gateway: Gateway
  readonly agents: readonly AgentFile[]
}

/**
 * The session's system prompt: rendered once and kept, because a provider's cache begins with it. Servers that came
 * or went since are told in a note beside the next message.
 */
export async function systemPrompt({ db, session, actor, gateway, agents }: PromptDeps): Promise<string> {
  const now = await db
    .selectFrom('sessions')
    .select(['system_prompt', 'known_servers'])
    .where('id', '=', session.id)
    .executeTakeFirst()
  const servers = (await gateway.servers(actor)).filter((server) => server.enabled)
  const names = servers.map((server) => server.name)
  if (now?.system_prompt) {
    await noteChanges(db, session.id, now.known_servers ?? [], names)
    return now.system_prompt
  }
  const agent = agents.find((one) => one.name === session.agent)
  if (agent === undefined) throw new AppError('not_found', `There is no agent "${session.agent}".`)
  const prompt = renderPrompt(agent, servers, await grantNames(db, session.id))
  await db
    .updateTable('sessions')
    .set({ system_prompt: prompt, known_servers: jsonb(names) })
    .where('id', '=', session.id)
    .execute()
  return prompt
}

async function noteChanges(
  db: AgentDb,
  session: string,
  known: readonly string[],
  names: readonly string[],
): Promise<void> {
  const came = names.filter((name) => !known.includes(name))
  const went = known.filter((name) => !names.includes(name))
  if (came.length + went.length === 0) return
  const lines = [
    ...(came.length > 0 ? [`Servers that can be activated now: ${came.join(', ')}.`] : []),
    ...(went.length > 0 ? [`Servers that are gone: ${went.join(', ')}.`] : []),
  ]
  await db.transaction().execute(async (trx) => {
    const last = await trx
      .selectFrom('messages')
      .select('id')
      .where('session_id', '=', session)
      .where('role', '=', 'user')
      .where('status', '=', 'done')
      .orderBy('position', 'desc')
      .limit(1)
      .executeTakeFirst()
    if (last === undefined) return
    await trx
      .updateTable('messages')
      .set({ note: `(${lines.join(' ')})` })
      .where('id', '=', last.id)
      .where('note', 'is', null)
      .execute()
    await trx
      .updateTable('sessions')
      .set({ known_servers: jsonb(names) })
      .where('id', '=', session)
      .execute()
  })
}
