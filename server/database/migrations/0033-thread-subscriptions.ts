import { type ColumnDefinitionBuilder, type Kysely, SqliteAdapter, sql } from 'kysely';

const required = (column: ColumnDefinitionBuilder) => column.notNull();

/** Which threads people follow. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
  const table = db.schema
    .createTable('thread_subscriptions')
    .addColumn('user_id', 'text', (column) =>
      column.notNull().references('users.user_id').onDelete('cascade'),
    )
    .addColumn('room_id', 'text', (column) =>
      column.notNull().references('rooms.room_id').onDelete('cascade'),
    )
    .addColumn('thread_id', 'text', required)
    .addColumn('subscription', 'text')
    .addColumn('ended_at', 'bigint', required)
    .addColumn('stream_id', 'bigint', required)
    .addPrimaryKeyConstraint('thread_subscriptions_pkey', ['user_id', 'room_id', 'thread_id']);
  await (isSqlite ? table.modifyEnd(sql`without rowid`) : table).execute();
  await db.schema
    .createIndex('thread_subscriptions_stream')
    .on('thread_subscriptions')
    .columns(['user_id', 'stream_id'])
    .execute();
  await db.schema
    .createIndex('thread_subscriptions_room')
    .on('thread_subscriptions')
    .column('room_id')
    .execute();
}
