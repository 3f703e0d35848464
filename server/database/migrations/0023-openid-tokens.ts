import type { Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('openid_tokens')
    .addColumn('token_hash', 'text', (column) => column.primaryKey())
    .addColumn('user_id', 'text', (column) =>
      column.notNull().references('users.user_id').onDelete('cascade'),
    )
    .addColumn('expires_ts', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('openid_tokens_expiry').on('openid_tokens').columns(['expires_ts']).execute();
}
