import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table gateway.secrets (
      id uuid primary key,
      owner text not null,
      name text not null,
      sealed bytea not null,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      unique (owner, name)
    )`.execute(db)
  await sql`
    alter table gateway.servers
      add column owner_role text not null default 'member' check (owner_role in ('admin', 'member'))`.execute(
    db,
  )
  // Only an administrator could share a server so far, too.
  await sql`update gateway.servers set owner_role = 'admin' where scope = 'shared'`.execute(db)
}
