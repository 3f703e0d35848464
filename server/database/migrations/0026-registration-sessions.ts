import type { Kysely } from 'kysely';

/** What the requests of a session said that is not complete yet, and what came of it once it is. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('interactive_sessions').addColumn('said', 'text').execute();
  await db.schema.alterTable('interactive_sessions').addColumn('result', 'text').execute();
}
