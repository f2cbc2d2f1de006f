import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table gateway.servers
      add column pin_policy text check (pin_policy in ('hold', 'warn', 'accept'))`.execute(db)
  // A tool that is not listed any more keeps its row: when it comes back changed, that is a change.
  await sql`
    alter table gateway.tools
      add column hash text not null default '',
      add column candidate jsonb,
      add column candidate_hash text,
      add column listed boolean not null default true,
      add column accepted_by text,
      add column accepted_at timestamptz`.execute(db)
}
