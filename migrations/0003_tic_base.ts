import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table tic.batches (
      id uuid primary key,
      user_id text not null,
      state text not null check (state in ('running', 'settled', 'failed', 'dead')),
      event_count integer not null,
      briefing_count integer not null default 0,
      attempts integer not null default 1,
      error text,
      started_at timestamptz not null default now(),
      ended_at timestamptz
    )`.execute(db)
  await sql`create index batches_by_user on tic.batches (user_id, id desc)`.execute(db)

  await sql`
    create table tic.briefings (
      id uuid primary key,
      batch_id uuid not null references tic.batches,
      position integer not null,
      user_id text not null,
      title text not null,
      source text not null,
      type text not null,
      summary text not null,
      refs jsonb not null,
      urgency text not null,
      server text,
      state text not null default 'unread' check (state in ('unread', 'read', 'done')),
      created_at timestamptz not null default now(),
      unique (batch_id, position)
    )`.execute(db)
  await sql`create index briefings_by_user on tic.briefings (user_id, id desc)`.execute(db)

  await sql`
    create table tic.events (
      id uuid primary key,
      server_id uuid not null,
      server text not null,
      user_id text not null,
      method text not null,
      payload jsonb not null,
      dedup_key text,
      received_at timestamptz not null,
      stored_at timestamptz not null default now(),
      state text not null default 'pending' check (state in ('pending', 'claimed', 'settled', 'dead')),
      attempts integer not null default 0,
      verdict text,
      reason text,
      rule_id uuid,
      batch_id uuid references tic.batches,
      briefing_id uuid references tic.briefings,
      seen_at timestamptz
    )`.execute(db)
  await sql`create index events_by_user on tic.events (user_id, id desc)`.execute(db)
  await sql`create index events_open on tic.events (user_id, id) where state in ('pending', 'claimed')`.execute(
    db,
  )
  await sql`create index events_by_batch on tic.events (batch_id)`.execute(db)
  await sql`create unique index events_once on tic.events (server_id, dedup_key) where dedup_key is not null`.execute(
    db,
  )

  await sql`
    create table tic.rules (
      id uuid primary key,
      user_id text not null,
      text text not null,
      action text not null check (action in ('always', 'never', 'custom')),
      priority integer not null,
      created_at timestamptz not null default now()
    )`.execute(db)

  await sql`
    create table tic.schedules (
      user_id text primary key,
      next_run_at timestamptz not null,
      worker text,
      lease_until timestamptz,
      failures integer not null default 0
    )`.execute(db)
  await sql`create index schedules_due on tic.schedules (next_run_at)`.execute(db)

  await sql`
    create table tic.dead_messages (
      id uuid primary key,
      data bytea not null,
      reason text not null,
      received_at timestamptz not null default now()
    )`.execute(db)
}
