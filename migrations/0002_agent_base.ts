import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table agent.sessions (
      id uuid primary key,
      user_id text not null,
      role text not null,
      agent text not null,
      title text not null default '',
      system_prompt text,
      known_servers jsonb,
      input_tokens bigint not null default 0,
      output_tokens bigint not null default 0,
      requests bigint not null default 0,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    )`.execute(db)
  await sql`create index sessions_by_user on agent.sessions (user_id, id desc)`.execute(db)

  await sql`
    create table agent.turns (
      id uuid primary key,
      session_id uuid not null references agent.sessions on delete cascade,
      state text not null check (state in ('queued', 'running', 'done', 'stopped', 'failed')),
      worker text,
      lease_until timestamptz,
      stop_requested boolean not null default false,
      error text,
      created_at timestamptz not null default now()
    )`.execute(db)
  await sql`create unique index turns_one_at_a_time on agent.turns (session_id) where state in ('queued', 'running')`.execute(
    db,
  )
  await sql`create index turns_open on agent.turns (created_at) where state in ('queued', 'running')`.execute(
    db,
  )

  await sql`
    create table agent.messages (
      id uuid primary key,
      session_id uuid not null references agent.sessions on delete cascade,
      turn_id uuid not null references agent.turns on delete cascade,
      position bigint generated always as identity,
      role text not null check (role in ('user', 'assistant')),
      content text not null default '',
      note text,
      status text not null,
      error text,
      created_at timestamptz not null default now()
    )`.execute(db)
  await sql`create index messages_by_session on agent.messages (session_id, position)`.execute(db)

  await sql`
    create table agent.tool_calls (
      id uuid primary key,
      message_id uuid not null references agent.messages on delete cascade,
      position integer not null,
      provider_call_id text not null,
      name text not null,
      server text,
      tool text,
      arguments jsonb not null,
      arguments_fault text,
      repeatable boolean not null default false,
      status text not null,
      result_type text,
      result jsonb,
      started_at timestamptz,
      ended_at timestamptz
    )`.execute(db)
  await sql`create index tool_calls_by_message on agent.tool_calls (message_id, position)`.execute(db)

  await sql`
    create table agent.grants (
      session_id uuid not null references agent.sessions on delete cascade,
      server_id uuid not null,
      name text not null,
      position bigint generated always as identity,
      primary key (session_id, server_id)
    )`.execute(db)

  await sql`
    create table agent.settings (
      key text primary key,
      value jsonb not null
    )`.execute(db)
}
