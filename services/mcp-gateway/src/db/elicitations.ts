import type { ElicitationCard } from '@althing/protocol/model/inbox'
import { jsonb, jsonText } from '@althing/runtime/db'
import { sql } from 'kysely'
import type * as z from 'zod'
import type { Question } from '../elicitation/form.ts'
import type { ElicitationRow, GatewayDb } from './tables.ts'

/** Days that a settled card is remembered, so that a late answer is told that it is late. */
const REMEMBERED = sql<Date>`now() - interval '7 days'`

export interface NewElicitation {
  readonly id: string
  readonly instance: string
  readonly user: string
  readonly server_id: string
  readonly call_id: string
  readonly session_id: string | null
  readonly question: Question
  readonly seal: { readonly key_id: string; readonly public_key: string }
  readonly deadline_at: Date
}

export async function insertElicitation(
  db: GatewayDb,
  { question, seal, ...row }: NewElicitation,
): Promise<void> {
  await db
    .insertInto('elicitations')
    .values({ ...row, question: sql`${jsonText(question)}::json`, seal: jsonb(seal) })
    .execute()
}

export async function settleElicitation(
  db: GatewayDb,
  id: string,
  state: 'answered' | 'withdrawn' | 'expired',
): Promise<void> {
  await db
    .updateTable('elicitations')
    .set({ state })
    .where('id', '=', id)
    .where('state', '=', 'open')
    .execute()
}

export async function elicitationOf(
  db: GatewayDb,
  user: string,
  id: string,
): Promise<ElicitationRow | undefined> {
  return db
    .selectFrom('elicitations')
    .selectAll()
    .where('id', '=', id)
    .where('user', '=', user)
    .executeTakeFirst()
}

/** The open cards of a person whose instance lives, oldest first. */
export async function openElicitations(
  db: GatewayDb,
  user: string,
): Promise<z.infer<typeof ElicitationCard>[]> {
  const rows = await db
    .selectFrom('elicitations')
    .innerJoin('servers', 'servers.id', 'elicitations.server_id')
    .innerJoin('instances', 'instances.id', 'elicitations.instance')
    .selectAll('elicitations')
    .select(['servers.name as server', 'servers.friendly_name as friendly'])
    .where('elicitations.user', '=', user)
    .where('elicitations.state', '=', 'open')
    .where('elicitations.deadline_at', '>', sql<Date>`now()`)
    .where('instances.lease_until', '>', sql<Date>`now()`)
    .orderBy('elicitations.created_at')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    title: `${row.friendly ?? row.server} asks`,
    created_at: row.created_at.toISOString(),
    deadline_at: row.deadline_at.toISOString(),
    server: row.server,
    call_id: row.call_id,
    ...(row.session_id === null ? {} : { session_id: row.session_id }),
    mode: row.question.mode,
    message: row.question.message,
    schema: row.question.schema,
    sensitive: [...row.question.sensitive],
    ...(row.question.url === undefined ? {} : { url: row.question.url }),
    ...(row.question.unsupported === undefined ? {} : { unsupported: [...row.question.unsupported] }),
    seal: row.seal,
  }))
}

/** Cards of instances that are gone are withdrawn; old ones are forgotten. */
export async function sweepElicitations(db: GatewayDb): Promise<void> {
  await db
    .updateTable('elicitations')
    .set({ state: 'withdrawn' })
    .where('state', '=', 'open')
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('instances')
            .select('instances.id')
            .whereRef('instances.id', '=', 'elicitations.instance')
            .where('instances.lease_until', '>', sql<Date>`now()`),
        ),
      ),
    )
    .execute()
  await db.deleteFrom('elicitations').where('created_at', '<', REMEMBERED).execute()
}
