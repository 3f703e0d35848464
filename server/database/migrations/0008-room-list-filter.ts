import type { Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('rooms_public_name')
    .on('rooms')
    .columns(['is_public', 'name', 'room_id'])
    .execute();
}
