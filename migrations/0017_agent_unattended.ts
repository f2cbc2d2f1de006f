import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table agent.turns add column unattended boolean not null default false`.execute(db)
}
