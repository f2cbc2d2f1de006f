import { type Kysely, sql } from 'kysely'

/** What a registration asks for (null: left to the instance), and what its process got. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table gateway.servers
      add column isolation text check (isolation in ('process', 'sandbox'))`.execute(db)
  await sql`
    alter table gateway.connections
      add column isolation text check (isolation in ('none', 'process', 'sandbox'))`.execute(db)
}
