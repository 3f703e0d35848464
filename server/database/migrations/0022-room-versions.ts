import type { Kysely } from 'kysely';

/** Every room had the same version before: where nothing is said it is that one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('events').addColumn('room_version', 'text').execute();
}
