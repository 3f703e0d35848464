import type { Kysely } from 'kysely';

/** What users keep about a room is found by the room, too: it goes when the room is purged. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['account_data', 'room_tags']) {
    await db.schema.createIndex(`${table}_room`).on(table).columns(['room_id', 'user_id']).execute();
  }
}
