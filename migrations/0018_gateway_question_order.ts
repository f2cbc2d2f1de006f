import { type Kysely, sql } from 'kysely'

/** A form shows its fields in the order that its server gave; jsonb does not keep it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table gateway.elicitations alter column question type json`.execute(db)
}
