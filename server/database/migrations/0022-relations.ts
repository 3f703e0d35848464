import { type ColumnDefinitionBuilder, type Kysely, sql } from 'kysely';

/** A row that goes with its room. */
const ofRoom = (column: ColumnDefinitionBuilder) =>
  column.notNull().references('rooms.room_id').onDelete('cascade');

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('event_relations')
    .addColumn('event_id', 'text', (column) =>
      column.primaryKey().references('events.event_id').onDelete('cascade'),
    )
    .addColumn('parent_id', 'text', (column) => column.notNull())
    .addColumn('rel_type', 'text', (column) => column.notNull())
    .addColumn('aggregation_key', 'text')
    .addColumn('sender', 'text', (column) => column.notNull())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('stream_ordering', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('event_relations_parent')
    .on('event_relations')
    .columns(['parent_id', 'stream_ordering'])
    .execute();
  await db.schema
    .createIndex('event_relations_sender')
    .on('event_relations')
    .columns(['parent_id', 'rel_type', 'sender', 'stream_ordering'])
    .execute();

  await db.schema
    .createTable('threads')
    .addColumn('root_id', 'text', (column) => column.primaryKey())
    .addColumn('room_id', 'text', ofRoom)
    .addColumn('replies', 'integer', (column) => column.notNull())
    .addColumn('latest', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('threads_room').on('threads').columns(['room_id', 'latest']).execute();

  await sql`insert into background_updates (name, ordering, progress)
    select 'populate_relations', 2, '{}' where exists (select 1 from events)`.execute(db);
}
