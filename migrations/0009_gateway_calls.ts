import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table gateway.connections add column capabilities jsonb, add column instructions text`.execute(
    db,
  )

  await sql`alter table gateway.servers add column relays boolean not null default false`.execute(db)

  // Cards only: what is asked for and what is answered never reaches a table.
  await sql`
    create table gateway.elicitations (
      id uuid primary key,
      instance text not null,
      "user" text not null,
      server_id uuid not null references gateway.servers on delete cascade,
      call_id uuid not null,
      session_id uuid,
      question jsonb not null,
      seal jsonb not null,
      state text not null default 'open' check (state in ('open', 'answered', 'withdrawn', 'expired')),
      created_at timestamptz not null default now(),
      deadline_at timestamptz not null
    )`.execute(db)
  await sql`create index elicitations_open on gateway.elicitations ("user", created_at) where state = 'open'`.execute(
    db,
  )

  await sql`
    create table gateway.tasks (
      call_id uuid primary key,
      connection_id uuid not null references gateway.connections on delete cascade,
      "user" text not null,
      session_id uuid,
      tool text not null,
      ref jsonb not null,
      state text not null default 'working' check (state in ('working', 'done', 'failed')),
      outcome jsonb,
      created_at timestamptz not null default now(),
      ended_at timestamptz
    )`.execute(db)
  await sql`create index tasks_working on gateway.tasks (connection_id) where state = 'working'`.execute(db)

  await sql`
    create table gateway.media (
      id uuid primary key,
      extension text not null,
      server_id uuid not null references gateway.servers on delete cascade,
      "user" text not null,
      call_id uuid not null,
      mime_type text not null,
      bytes integer not null,
      created_at timestamptz not null default now()
    )`.execute(db)
  await sql`create index media_age on gateway.media (created_at)`.execute(db)
}
