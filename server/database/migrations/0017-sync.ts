import { type Kysely, sql } from 'kysely';
import { identityColumn } from './identity-column.ts';

/** What a sync reads for all rooms of a user at once has to be found without walking over those rooms' members. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('memberships_changes')
    .on('memberships')
    .columns(['user_id', 'stream_ordering'])
    .execute();
  await db.schema
    .createIndex('memberships_heroes')
    .on('memberships')
    .columns(['room_id', 'membership', 'stream_ordering'])
    .execute();
  await db.schema
    .createIndex('events_state_changes')
    .on('events')
    .columns(['room_id', 'stream_ordering'])
    .where(sql.ref('state_key'), 'is not', null)
    .execute();

  await db.schema
    .createTable('filters')
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addColumn('filter_id', 'text', (column) => column.notNull())
    .addColumn('filter', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('filters_pkey', ['user_id', 'filter_id'])
    .execute();

  await identityColumn(db.schema.createTable('sliding_positions'), 'position', db)
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addColumn('device_id', 'text', (column) => column.notNull())
    .addColumn('connection_id', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('used_ts', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('sliding_positions_connection')
    .on('sliding_positions')
    .columns(['user_id', 'device_id', 'connection_id', 'position'])
    .execute();
}
