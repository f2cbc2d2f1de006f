import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table gateway.servers add column oauth jsonb`.execute(db)

  // One consent per person (or for everybody) and server, valid for the address it was given for.
  await sql`
    create table gateway.oauth_grants (
      id text not null generated always as (server_id::text || '/' || principal) stored,
      server_id uuid not null references gateway.servers on delete cascade,
      principal text not null,
      url text not null,
      issuer text not null,
      version uuid not null,
      sealed bytea not null,
      given_at timestamptz not null default now(),
      renewal_until timestamptz,
      primary key (server_id, principal)
    )`.execute(db)

  await sql`
    create table gateway.oauth_clients (
      id text not null generated always as (server_id::text || '/' || principal || '/' || issuer) stored,
      server_id uuid not null references gateway.servers on delete cascade,
      principal text not null,
      issuer text not null,
      sealed bytea not null,
      primary key (server_id, principal, issuer)
    )`.execute(db)

  await sql`
    create table gateway.oauth_challenges (
      server_id uuid not null references gateway.servers on delete cascade,
      principal text not null,
      challenge jsonb not null,
      primary key (server_id, principal)
    )`.execute(db)

  // The state is a key to an account for ten minutes, so only its digest is kept.
  await sql`
    create table gateway.oauth_pending (
      state_digest bytea primary key,
      server_id uuid not null references gateway.servers on delete cascade,
      principal text not null,
      person text not null,
      url text not null,
      sealed bytea not null,
      expires_at timestamptz not null
    )`.execute(db)
  await sql`create index oauth_pending_expiry on gateway.oauth_pending (expires_at)`.execute(db)
}
