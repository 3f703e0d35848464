import { type ColumnDefinitionBuilder, type Kysely, SqliteAdapter, sql } from 'kysely';
import { identityColumn } from './identity-column.ts';

const ofRoom = (column: ColumnDefinitionBuilder) =>
  column.notNull().references('rooms.room_id').onDelete('cascade');
const ofUser = (column: ColumnDefinitionBuilder) =>
  column.notNull().references('users.user_id').onDelete('cascade');
const number = (column: ColumnDefinitionBuilder) => column.notNull();

/** Who is notified of what, and how the news reaches phones and application services. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
  await rules(db);

  // Each row says how many have notified so far, so that a count is the difference of two rows.
  const events = db.schema
    .createTable('notifying_events')
    .addColumn('room_id', 'text', ofRoom)
    .addColumn('stream_ordering', 'bigint', number)
    .addColumn('thread_id', 'text', (column) => column.notNull())
    .addColumn('sender', 'text', (column) => column.notNull())
    .addColumn('notifies', 'bigint', number)
    .addColumn('highlights', 'bigint', number)
    .addColumn('own_notifies', 'bigint', number)
    .addColumn('own_highlights', 'bigint', number)
    .addColumn('thread_notifies', 'bigint', number)
    .addColumn('thread_highlights', 'bigint', number)
    .addColumn('own_thread_notifies', 'bigint', number)
    .addColumn('own_thread_highlights', 'bigint', number)
    .addColumn('actions', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('notifying_events_pkey', ['room_id', 'stream_ordering']);
  await (isSqlite ? events.modifyEnd(sql`without rowid`) : events).execute();
  await db.schema
    .createIndex('notifying_events_sender')
    .on('notifying_events')
    .columns(['room_id', 'sender', 'stream_ordering'])
    .execute();
  for (const [name, columns] of [
    ['notifying_events_thread', ['room_id', 'thread_id', 'stream_ordering']],
    ['notifying_events_thread_sender', ['room_id', 'thread_id', 'sender', 'stream_ordering']],
  ] as const) {
    await db.schema
      .createIndex(name)
      .on('notifying_events')
      .columns([...columns])
      .where('thread_id', '<>', '')
      .execute();
  }

  const own = db.schema
    .createTable('own_notifications')
    // Who is invited need not exist.
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addColumn('room_id', 'text', (column) => column.notNull())
    .addColumn('thread_id', 'text', (column) => column.notNull())
    .addColumn('stream_ordering', 'bigint', number)
    .addColumn('notifies', 'bigint', number)
    .addColumn('highlights', 'bigint', number)
    .addColumn('actions', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('own_notifications_pkey', [
      'user_id',
      'room_id',
      'thread_id',
      'stream_ordering',
    ]);
  await (isSqlite ? own.modifyEnd(sql`without rowid`) : own).execute();
  await db.schema
    .createIndex('own_notifications_order')
    .on('own_notifications')
    .columns(['user_id', 'stream_ordering'])
    .execute();
  // The names of a room's members are read on from where they were.
  await db.schema
    .createIndex('memberships_order')
    .on('memberships')
    .columns(['room_id', 'stream_ordering'])
    .execute();

  // Application services are told of those of all rooms.
  for (const table of ['receipts', 'typing']) {
    await db.schema.createIndex(`${table}_stream`).on(table).column('stream_id').execute();
  }

  await identityColumn(db.schema.createTable('pushers'), 'id', db)
    .addColumn('user_id', 'text', ofUser)
    .addColumn('app_id', 'text', (column) => column.notNull())
    .addColumn('pushkey', 'text', (column) => column.notNull())
    .addColumn('device_id', 'text')
    .addColumn('content', 'text', (column) => column.notNull())
    .addColumn('created_ts', 'bigint', number)
    .addColumn('place', 'bigint', number)
    .addColumn('attempts', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('retry_ts', 'bigint', (column) => column.notNull().defaultTo(0))
    .addUniqueConstraint('pushers_key', ['app_id', 'pushkey', 'user_id'])
    .execute();
  await db.schema.createIndex('pushers_user').on('pushers').column('user_id').execute();

  await db.schema
    .createTable('app_service_places')
    .addColumn('app_service_id', 'text', (column) => column.primaryKey())
    .addColumn('events_place', 'bigint', number)
    .addColumn('changes_place', 'bigint', number)
    .addColumn('transaction_number', 'bigint', number)
    .addColumn('transaction_body', 'text')
    .addColumn('next_events_place', 'bigint', number)
    .addColumn('next_changes_place', 'bigint', number)
    .addColumn('attempts', 'integer', number)
    .addColumn('retry_ts', 'bigint', number)
    .execute();

  await db.schema
    .createTable('duties')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('holder', 'text', (column) => column.notNull())
    .addColumn('until_ts', 'bigint', number)
    .execute();
}

async function rules(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('push_rules')
    .addColumn('user_id', 'text', (column) =>
      column.primaryKey().references('users.user_id').onDelete('cascade'),
    )
    .addColumn('rules', 'text', (column) => column.notNull())
    .addColumn('ignored', 'text', (column) => column.notNull())
    .addColumn('version', 'bigint', number)
    .addColumn('stream_id', 'bigint', number)
    .execute();
  await db.schema.createIndex('push_rules_version').on('push_rules').column('version').execute();
  await db.schema.createTable('push_rule_version').addColumn('version', 'bigint', number).execute();
  await sql`insert into push_rule_version (version) values (0)`.execute(db);
  await db.schema
    .createTable('push_apart')
    .addColumn('user_id', 'text', ofUser)
    .addColumn('room_id', 'text', (column) => column.notNull())
    .addColumn('from_place', 'bigint', number)
    .addColumn('up_to_place', 'bigint')
    .addPrimaryKeyConstraint('push_apart_pkey', ['user_id', 'room_id'])
    .execute();
}
