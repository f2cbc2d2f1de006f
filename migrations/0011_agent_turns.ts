import { type Kysely, sql } from 'kysely'

/** Turns that park, sub-agents in frames of their own, approvals, questions and the rules that decide. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table agent.turns drop constraint turns_state_check`.execute(db)
  await sql`
    alter table agent.turns
      add constraint turns_state_check check (state in ('queued', 'running', 'waiting', 'done', 'stopped', 'failed')),
      add column epoch integer not null default 0,
      add column answers integer not null default 0,
      add column failures integer not null default 0`.execute(db)
  await sql`drop index agent.turns_one_at_a_time`.execute(db)
  await sql`create unique index turns_one_at_a_time on agent.turns (session_id)
    where state in ('queued', 'running', 'waiting')`.execute(db)

  await sql`
    create table agent.frames (
      id uuid primary key,
      session_id uuid not null references agent.sessions on delete cascade,
      turn_id uuid not null references agent.turns on delete cascade,
      call_id uuid not null unique references agent.tool_calls on delete cascade,
      parent_id uuid references agent.frames on delete cascade,
      agent text not null,
      depth integer not null,
      system_prompt text not null,
      state text not null default 'running' check (state in ('running', 'done', 'stopped', 'failed')),
      created_at timestamptz not null default now()
    )`.execute(db)
  await sql`create index frames_by_session on agent.frames (session_id, created_at)`.execute(db)
  await sql`alter table agent.messages add column frame_id uuid references agent.frames on delete cascade`.execute(
    db,
  )
  await sql`create index messages_by_turn on agent.messages (turn_id)`.execute(db)
  await sql`
    alter table agent.tool_calls
      add column server_id uuid,
      add column decision jsonb`.execute(db)

  await sql`
    alter table agent.grants
      drop constraint grants_pkey,
      add column frame_id uuid references agent.frames on delete cascade`.execute(db)
  await sql`create unique index grants_once on agent.grants (session_id, frame_id, server_id) nulls not distinct`.execute(
    db,
  )

  await sql`
    create table agent.approval_rules (
      id uuid primary key,
      user_id text,
      session_id uuid references agent.sessions on delete cascade,
      server_id uuid,
      agent text,
      pattern text not null,
      action text not null check (action in ('allow', 'ask', 'deny')),
      priority integer not null,
      conditions jsonb,
      created_at timestamptz not null default now()
    )`.execute(db)
  await sql`create index approval_rules_by_user on agent.approval_rules (user_id)`.execute(db)

  await sql`
    create table agent.approvals (
      id uuid primary key,
      user_id text not null,
      session_id uuid not null references agent.sessions on delete cascade,
      turn_id uuid not null references agent.turns on delete cascade,
      call_id uuid not null unique references agent.tool_calls on delete cascade,
      tool text not null,
      server text,
      arguments jsonb not null,
      annotations jsonb,
      schema jsonb,
      rule_id uuid,
      state text not null default 'open'
        check (state in ('open', 'approved', 'rejected', 'expired', 'withdrawn')),
      scope text,
      note text,
      resolved_by text,
      deadline_at timestamptz,
      created_at timestamptz not null default now(),
      resolved_at timestamptz
    )`.execute(db)
  await sql`create index approvals_open on agent.approvals (user_id, created_at) where state = 'open'`.execute(
    db,
  )
  await sql`create index approvals_by_turn on agent.approvals (turn_id) where state = 'open'`.execute(db)

  await sql`
    create table agent.questions (
      id uuid primary key,
      user_id text not null,
      session_id uuid not null references agent.sessions on delete cascade,
      turn_id uuid not null references agent.turns on delete cascade,
      call_id uuid not null unique references agent.tool_calls on delete cascade,
      question text not null,
      options jsonb,
      state text not null default 'open' check (state in ('open', 'answered', 'expired', 'withdrawn')),
      answer text,
      deadline_at timestamptz,
      created_at timestamptz not null default now(),
      resolved_at timestamptz
    )`.execute(db)
  await sql`create index questions_open on agent.questions (user_id, created_at) where state = 'open'`.execute(
    db,
  )
  await sql`create index questions_by_turn on agent.questions (turn_id) where state = 'open'`.execute(db)
}
