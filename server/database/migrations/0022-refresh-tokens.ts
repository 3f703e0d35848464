import type { Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('refresh_tokens')
    .addColumn('token_hash', 'text', (column) => column.primaryKey())
    .addColumn('user_id', 'text', (column) =>
      column.notNull().references('users.user_id').onDelete('cascade'),
    )
    .addColumn('device_id', 'text', (column) => column.notNull())
    .addColumn('access_hash', 'text', (column) => column.notNull())
    .addColumn('next_hash', 'text')
    .addColumn('expires_ts', 'bigint')
    .addColumn('session_ends_ts', 'bigint')
    .execute();
  await db.schema
    .createIndex('refresh_tokens_device')
    .on('refresh_tokens')
    .columns(['user_id', 'device_id'])
    .execute();
  // Of a token that came with one to refresh it: whether it was ever used.
  await db.schema
    .alterTable('access_tokens')
    .addColumn('unused', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
}
