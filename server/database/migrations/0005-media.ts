import type { Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('media')
    .addColumn('media_id', 'text', (column) => column.primaryKey())
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addColumn('content_type', 'text', (column) => column.notNull())
    .addColumn('upload_name', 'text')
    .addColumn('size', 'bigint', (column) => column.notNull())
    .addColumn('created_ts', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('media_user')
    .on('media')
    .columns(['user_id', 'created_ts', 'media_id'])
    .execute();
}
