import { type Kysely, sql } from 'kysely'

/** Accounts in the shape and with the names of the accounts library, hence the quotes; the roles and the audit are ours. */
const STATEMENTS = [
  `create table web."user" (
    "id" uuid not null default gen_random_uuid() primary key,
    "name" text not null,
    "email" text not null unique,
    "emailVerified" boolean not null,
    "image" text,
    "createdAt" timestamptz not null default now(),
    "updatedAt" timestamptz not null default now(),
    "role" text not null default 'member' check ("role" in ('admin', 'member', 'auditor'))
  )`,
  `create table web."session" (
    "id" uuid not null default gen_random_uuid() primary key,
    "expiresAt" timestamptz not null,
    "token" text not null unique,
    "createdAt" timestamptz not null default now(),
    "updatedAt" timestamptz not null,
    "ipAddress" text,
    "userAgent" text,
    "userId" uuid not null references web."user" ("id") on delete cascade
  )`,
  `create index "session_userId_idx" on web."session" ("userId")`,
  `create table web."account" (
    "id" uuid not null default gen_random_uuid() primary key,
    "accountId" text not null,
    "providerId" text not null,
    "userId" uuid not null references web."user" ("id") on delete cascade,
    "accessToken" text,
    "refreshToken" text,
    "idToken" text,
    "accessTokenExpiresAt" timestamptz,
    "refreshTokenExpiresAt" timestamptz,
    "scope" text,
    "password" text,
    "createdAt" timestamptz not null default now(),
    "updatedAt" timestamptz not null
  )`,
  `create index "account_userId_idx" on web."account" ("userId")`,
  `create table web."verification" (
    "id" uuid not null default gen_random_uuid() primary key,
    "identifier" text not null,
    "value" text not null,
    "expiresAt" timestamptz not null,
    "createdAt" timestamptz not null default now(),
    "updatedAt" timestamptz not null default now()
  )`,
  `create index "verification_identifier_idx" on web."verification" ("identifier")`,
  `create table web."apikey" (
    "id" uuid not null default gen_random_uuid() primary key,
    "configId" text not null,
    "name" text,
    "start" text,
    "referenceId" text not null,
    "prefix" text,
    "key" text not null,
    "refillInterval" integer,
    "refillAmount" integer,
    "lastRefillAt" timestamptz,
    "enabled" boolean,
    "rateLimitEnabled" boolean,
    "rateLimitTimeWindow" integer,
    "rateLimitMax" integer,
    "requestCount" integer,
    "remaining" integer,
    "lastRequest" timestamptz,
    "expiresAt" timestamptz,
    "createdAt" timestamptz not null,
    "updatedAt" timestamptz not null,
    "permissions" text,
    "metadata" text
  )`,
  `create index "apikey_configId_idx" on web."apikey" ("configId")`,
  `create index "apikey_referenceId_idx" on web."apikey" ("referenceId")`,
  `create index "apikey_key_idx" on web."apikey" ("key")`,
  `create table web.audit (
    id bigint generated always as identity primary key,
    at timestamptz not null,
    actor text,
    action text not null,
    target text not null,
    outcome text not null check (outcome in ('ok', 'refused', 'failed')),
    address text not null
  )`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}
