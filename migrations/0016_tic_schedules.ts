import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table tic.cron_schedules (
      id uuid primary key,
      user_id text not null,
      role text not null,
      name text not null,
      cron text not null,
      time_zone text not null,
      prompt text not null,
      agent text not null,
      enabled boolean not null,
      missed text not null check (missed in ('skip', 'run_once')),
      next_run_at timestamptz,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    )`.execute(db)
  await sql`create index cron_schedules_by_user on tic.cron_schedules (user_id, id)`.execute(db)
  await sql`
    create index cron_schedules_due on tic.cron_schedules (next_run_at)
      where enabled and next_run_at is not null`.execute(db)

  await sql`
    create table tic.schedule_runs (
      id uuid primary key,
      schedule_id uuid not null references tic.cron_schedules on delete cascade,
      user_id text not null,
      reason text not null check (reason in ('due', 'missed', 'manual')),
      state text not null check (state in ('waiting', 'running', 'done', 'failed', 'stopped', 'skipped')),
      due_at timestamptz not null,
      try_at timestamptz,
      attempts integer not null default 0,
      worker text,
      lease_until timestamptz,
      session_id uuid,
      turn_id uuid,
      error text,
      created_at timestamptz not null default now(),
      ended_at timestamptz
    )`.execute(db)
  await sql`create index schedule_runs_by_schedule on tic.schedule_runs (schedule_id, id desc)`.execute(db)
  await sql`create index schedule_runs_waiting on tic.schedule_runs (try_at) where state = 'waiting'`.execute(
    db,
  )
  await sql`create index schedule_runs_running on tic.schedule_runs (id) where state = 'running'`.execute(db)
  // One time of a schedule is one run, whoever finds it due.
  await sql`
    create unique index schedule_runs_once on tic.schedule_runs (schedule_id, due_at)
      where reason <> 'manual'`.execute(db)
}
