import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table gateway.servers (
      id uuid primary key,
      name text not null,
      owner text not null,
      scope text not null check (scope in ('shared', 'personal')),
      identity text not null check (identity in ('one-for-all', 'per-user')),
      enabled boolean not null,
      generation integer not null,
      transport text not null check (transport in ('stdio', 'http', 'sse')),
      friendly_name text,
      description text,
      command text,
      args jsonb,
      cwd text,
      url text,
      sealed bytea,
      call_timeout_ms integer,
      start_timeout_ms integer,
      event_methods jsonb,
      tool_problems jsonb not null default '[]',
      created_at timestamptz not null default now(),
      unique (owner, name)
    )`.execute(db)
  await sql`create unique index servers_shared_name on gateway.servers (name) where scope = 'shared'`.execute(
    db,
  )

  await sql`
    create table gateway.instances (
      id text primary key,
      host text not null,
      lease_until timestamptz not null
    )`.execute(db)

  await sql`
    create table gateway.connections (
      id uuid primary key,
      server_id uuid not null references gateway.servers on delete cascade,
      principal text not null,
      owner text,
      epoch integer not null default 0,
      generation integer not null default 0,
      ever_ran boolean not null default false,
      state text not null,
      state_since timestamptz not null default now(),
      next_try_at timestamptz,
      error jsonb,
      era text,
      protocol_version text,
      host text,
      pid integer,
      pid_started text,
      unique (server_id, principal)
    )`.execute(db)

  await sql`
    create table gateway.tools (
      server_id uuid not null references gateway.servers on delete cascade,
      name text not null,
      alias text not null,
      position integer not null,
      definition jsonb not null,
      primary key (server_id, name)
    )`.execute(db)
}
