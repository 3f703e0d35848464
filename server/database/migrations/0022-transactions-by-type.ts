import type { Kysely } from 'kysely';

/** What a client calls a request is a name among those of one kind of event. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropIndex('events_transaction').execute();
  await db.schema
    .createIndex('events_transaction')
    .unique()
    .on('events')
    .columns(['room_id', 'sender', 'device_id', 'transaction_id', 'type'])
    .where('transaction_id', 'is not', null)
    .execute();
}
