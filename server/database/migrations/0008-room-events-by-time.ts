import type { Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('events_time')
    .on('events')
    .columns(['room_id', 'purged', 'origin_server_ts', 'stream_ordering'])
    .execute();
}
