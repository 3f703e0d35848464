import { type ColumnDefinitionBuilder, type Kysely, SqliteAdapter, sql } from 'kysely';

/** Which rooms application services list, by network. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
  const required = (column: ColumnDefinitionBuilder) => column.notNull();
  const table = db.schema
    .createTable('app_service_rooms')
    .addColumn('app_service_id', 'text', required)
    .addColumn('network_id', 'text', required)
    .addColumn('room_id', 'text', (column) =>
      column.notNull().references('rooms.room_id').onDelete('cascade'),
    )
    .addPrimaryKeyConstraint('app_service_rooms_pkey', ['app_service_id', 'network_id', 'room_id']);
  await (isSqlite ? table.modifyEnd(sql`without rowid`) : table).execute();
  await db.schema.createIndex('app_service_rooms_room').on('app_service_rooms').column('room_id').execute();
}
