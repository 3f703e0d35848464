import type { Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('scheduled_tasks')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('action', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('timestamp_ms', 'bigint', (column) => column.notNull())
    .addColumn('resource_id', 'text')
    .addColumn('params', 'text', (column) => column.notNull())
    .addColumn('result', 'text')
    .addColumn('error', 'text')
    .execute();
  for (const filter of ['status', 'action', 'resource_id']) {
    await db.schema
      .createIndex(`scheduled_tasks_${filter}`)
      .on('scheduled_tasks')
      .columns([filter, 'timestamp_ms', 'id'])
      .execute();
  }
  await db.schema
    .createIndex('scheduled_tasks_order')
    .on('scheduled_tasks')
    .columns(['timestamp_ms', 'id'])
    .execute();
}
