import type { Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('users')
    .addColumn('user_id', 'text', (column) => column.primaryKey())
    .addColumn('password_hash', 'text')
    .addColumn('display_name', 'text')
    .addColumn('avatar_url', 'text')
    .addColumn('admin', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('deactivated', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('created_ts', 'bigint', (column) => column.notNull())
    .execute();

  await db.schema
    .createTable('devices')
    .addColumn('user_id', 'text', (column) =>
      column.notNull().references('users.user_id').onDelete('cascade'),
    )
    .addColumn('device_id', 'text', (column) => column.notNull())
    .addColumn('display_name', 'text')
    .addColumn('last_seen_ts', 'bigint')
    .addPrimaryKeyConstraint('devices_pkey', ['user_id', 'device_id'])
    .execute();

  await db.schema
    .createTable('access_tokens')
    .addColumn('token_hash', 'text', (column) => column.primaryKey())
    .addColumn('user_id', 'text', (column) =>
      column.notNull().references('users.user_id').onDelete('cascade'),
    )
    .addColumn('device_id', 'text')
    .addColumn('created_ts', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('access_tokens_user')
    .on('access_tokens')
    .columns(['user_id', 'device_id'])
    .execute();

  await db.schema
    .createTable('login_tokens')
    .addColumn('token_hash', 'text', (column) => column.primaryKey())
    .addColumn('user_id', 'text', (column) =>
      column.notNull().references('users.user_id').onDelete('cascade'),
    )
    .addColumn('expires_ts', 'bigint', (column) => column.notNull())
    .execute();

  await db.schema
    .createTable('server_facts')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('value', 'text', (column) => column.notNull())
    .execute();
}
