import { type ColumnDefinitionBuilder, type Kysely, SqliteAdapter, sql } from 'kysely';

const ofRoom = (column: ColumnDefinitionBuilder) =>
  column.notNull().references('rooms.room_id').onDelete('cascade');
const ofUser = (column: ColumnDefinitionBuilder) =>
  column.notNull().references('users.user_id').onDelete('cascade');

/** What of people a sync shows: how far they have read, that they write, whether they are there. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
  await db.schema
    .createTable('receipts')
    .addColumn('user_id', 'text', ofUser)
    .addColumn('room_id', 'text', ofRoom)
    .addColumn('receipt_type', 'text', (column) => column.notNull())
    .addColumn('thread_id', 'text', (column) => column.notNull())
    .addColumn('event_id', 'text', (column) => column.notNull())
    .addColumn('stream_ordering', 'bigint', (column) => column.notNull())
    .addColumn('ts', 'bigint', (column) => column.notNull())
    .addColumn('stream_id', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('receipts_pkey', ['user_id', 'room_id', 'receipt_type', 'thread_id'])
    .execute();
  await db.schema.createIndex('receipts_room').on('receipts').columns(['room_id', 'stream_id']).execute();

  await db.schema
    .createTable('presence')
    .addColumn('user_id', 'text', (column) =>
      column.primaryKey().references('users.user_id').onDelete('cascade'),
    )
    .addColumn('presence', 'text', (column) => column.notNull())
    .addColumn('status_msg', 'text')
    .addColumn('last_active_ts', 'bigint', (column) => column.notNull())
    .addColumn('stream_id', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('presence_stream').on('presence').column('stream_id').execute();
  // Those two are worth nothing after a crash: PostgreSQL needn't write them to its log.
  const fleeting = (name: string) => {
    const table = db.schema.createTable(name);
    return isSqlite ? table : table.modifyFront(sql`unlogged`);
  };
  await fleeting('presence_connections')
    .addColumn('process', 'text', (column) => column.notNull())
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addColumn('presence', 'text', (column) => column.notNull())
    .addColumn('until_ts', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('presence_connections_pkey', ['user_id', 'process'])
    .execute();
  await db.schema
    .createIndex('presence_connections_until')
    .on('presence_connections')
    .column('until_ts')
    .execute();
  await fleeting('typing')
    .addColumn('room_id', 'text', (column) => column.notNull())
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addColumn('until_ts', 'bigint', (column) => column.notNull())
    .addColumn('stream_id', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('typing_pkey', ['room_id', 'user_id'])
    .execute();
  await db.schema.createIndex('typing_until').on('typing').column('until_ts').execute();

  // What was there before is older than any change.
  await db.schema
    .alterTable('account_data')
    .addColumn('stream_id', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute();
  await db.schema
    .createIndex('account_data_stream')
    .on('account_data')
    .columns(['user_id', 'stream_id'])
    .execute();
  // Clients get a room's tags as account data of a type of their own.
  await moveTags(db, isSqlite);
}

async function moveTags(db: Kysely<unknown>, isSqlite: boolean): Promise<void> {
  const tags = isSqlite
    ? sql`json_object('tags', json_group_object(tag, json(content)))`
    : sql`json_build_object('tags', json_object_agg(tag, content::json))::text`;
  await sql`insert into account_data (user_id, room_id, type, content)
    select user_id, room_id, 'm.tag', ${tags} from room_tags group by user_id, room_id
    on conflict (user_id, room_id, type) do update set content = excluded.content`.execute(db);
  await db.schema.dropTable('room_tags').execute();
}
