import type { ColumnDefinitionBuilder, Kysely } from 'kysely';
import { identityColumn } from './identity-column.ts';

/** A row that goes with its room. */
const ofRoom = (column: ColumnDefinitionBuilder) =>
  column.notNull().references('rooms.room_id').onDelete('cascade');

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('rooms')
    .addColumn('room_id', 'text', (column) => column.primaryKey())
    .addColumn('room_version', 'text', (column) => column.notNull())
    .addColumn('creator', 'text', (column) => column.notNull())
    .addColumn('created_ts', 'bigint', (column) => column.notNull())
    .addColumn('name', 'text')
    .addColumn('topic', 'text')
    .addColumn('canonical_alias', 'text')
    .addColumn('join_rule', 'text', (column) => column.notNull())
    .addColumn('history_visibility', 'text', (column) => column.notNull())
    .addColumn('is_public', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('joined_members', 'integer', (column) => column.notNull())
    .addColumn('head_event_id', 'text')
    .addColumn('head_depth', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('rooms_public').on('rooms').columns(['is_public', 'joined_members']).execute();

  await identityColumn(db.schema.createTable('events'), 'stream_ordering', db)
    .addColumn('event_id', 'text', (column) => column.notNull().unique())
    .addColumn('room_id', 'text', ofRoom)
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('state_key', 'text')
    .addColumn('sender', 'text', (column) => column.notNull())
    .addColumn('origin_server_ts', 'bigint', (column) => column.notNull())
    .addColumn('depth', 'bigint', (column) => column.notNull())
    .addColumn('json', 'text', (column) => column.notNull())
    .addColumn('redacted_by', 'text')
    .addColumn('purged', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('device_id', 'text')
    .addColumn('transaction_id', 'text')
    .execute();
  await db.schema
    .createIndex('events_room')
    .on('events')
    .columns(['room_id', 'purged', 'stream_ordering'])
    .execute();
  // State at any event is the newest row of each type and key up to it.
  await db.schema
    .createIndex('events_state')
    .on('events')
    .columns(['room_id', 'type', 'state_key', 'stream_ordering'])
    .where('state_key', 'is not', null)
    .execute();
  await db.schema
    .createIndex('events_transaction')
    .unique()
    .on('events')
    .columns(['room_id', 'sender', 'device_id', 'transaction_id'])
    .where('transaction_id', 'is not', null)
    .execute();

  await db.schema
    .createTable('current_state')
    .addColumn('room_id', 'text', ofRoom)
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('state_key', 'text', (column) => column.notNull())
    .addColumn('event_id', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('current_state_pkey', ['room_id', 'type', 'state_key'])
    .execute();

  await db.schema
    .createTable('memberships')
    .addColumn('room_id', 'text', ofRoom)
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addColumn('membership', 'text', (column) => column.notNull())
    .addColumn('stream_ordering', 'bigint', (column) => column.notNull())
    .addColumn('forgotten', 'integer', (column) => column.notNull().defaultTo(0))
    .addPrimaryKeyConstraint('memberships_pkey', ['room_id', 'user_id'])
    .execute();
  await db.schema
    .createIndex('memberships_user')
    .on('memberships')
    .columns(['user_id', 'membership'])
    .execute();

  await db.schema
    .createTable('room_aliases')
    .addColumn('alias', 'text', (column) => column.primaryKey())
    .addColumn('room_id', 'text', ofRoom)
    .addColumn('creator', 'text', (column) => column.notNull())
    .addColumn('created_ts', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('room_aliases_room').on('room_aliases').column('room_id').execute();

  await db.schema
    .createTable('blocked_rooms')
    .addColumn('room_id', 'text', (column) => column.primaryKey())
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addColumn('blocked_ts', 'bigint', (column) => column.notNull())
    .execute();
}
