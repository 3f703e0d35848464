import { type Kysely, sql } from 'kysely';

const newFlags = ['locked', 'suspended', 'shadow_banned', 'erased'] as const;

/** What the list of users can be ordered by beside the name; each needs an index that ends in the name. */
const orders = ['display_name', 'created_ts', 'last_seen_ts', 'avatar_url'] as const;
const flagOrders = ['admin', 'locked', 'shadow_banned', 'user_type'] as const;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const name of newFlags) {
    await db.schema
      .alterTable('users')
      .addColumn(name, 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
  }
  for (const [name, type] of [
    ['user_type', 'text'],
    ['app_service_id', 'text'],
    ['last_seen_ts', 'bigint'],
  ] as const) {
    await db.schema.alterTable('users').addColumn(name, type).execute();
  }
  await indexUsers(db);
  await countUsers(db);

  await db.schema.alterTable('devices').addColumn('last_seen_ip', 'text').execute();
  await db.schema.alterTable('access_tokens').addColumn('expires_ts', 'bigint').execute();
  await db.schema.alterTable('access_tokens').addColumn('made_for', 'text').execute();
  await db.schema
    .createIndex('access_tokens_made_for')
    .on('access_tokens')
    .column('made_for')
    .where('made_for', 'is not', null)
    .execute();
  // Redacting what a user sent, newest first.
  await db.schema
    .createIndex('events_by_sender')
    .on('events')
    .columns(['sender', 'room_id', 'stream_ordering'])
    .execute();
  await createTables(db);
}

/** Most lists leave deactivated users out, who may be many: those have indexes without them. */
async function indexUsers(db: Kysely<unknown>): Promise<void> {
  await db.schema.createIndex('users_active').on('users').columns(['deactivated', 'user_id']).execute();
  for (const name of orders) {
    await db.schema
      .createIndex(`users_active_${name}`)
      .on('users')
      .columns(['deactivated', name, 'user_id'])
      .execute();
  }
  for (const name of [...orders, ...flagOrders]) {
    await db.schema.createIndex(`users_by_${name}`).on('users').columns([name, 'user_id']).execute();
  }
}

async function countUsers(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('user_totals')
    .addColumn('admin', 'integer', (column) => column.notNull())
    .addColumn('deactivated', 'integer', (column) => column.notNull())
    .addColumn('locked', 'integer', (column) => column.notNull())
    .addColumn('user_type', 'text', (column) => column.notNull())
    .addColumn('total', 'bigint', (column) => column.notNull().check(sql`total >= 0`))
    .addPrimaryKeyConstraint('user_totals_pkey', ['admin', 'deactivated', 'locked', 'user_type'])
    .execute();
  await sql`
    insert into user_totals (admin, deactivated, locked, user_type, total)
    select admin, deactivated, locked, coalesce(user_type, ''), count(*)
    from users group by admin, deactivated, locked, coalesce(user_type, '')`.execute(db);
}

async function createTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('user_threepids')
    .addColumn('medium', 'text', (column) => column.notNull())
    .addColumn('address', 'text', (column) => column.notNull())
    .addColumn('user_id', 'text', (column) =>
      column.notNull().references('users.user_id').onDelete('cascade'),
    )
    .addColumn('validated_ts', 'bigint', (column) => column.notNull())
    .addColumn('added_ts', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('user_threepids_pkey', ['medium', 'address'])
    .execute();
  await db.schema.createIndex('user_threepids_user').on('user_threepids').column('user_id').execute();

  await db.schema
    .createTable('user_external_ids')
    .addColumn('auth_provider', 'text', (column) => column.notNull())
    .addColumn('external_id', 'text', (column) => column.notNull())
    .addColumn('user_id', 'text', (column) =>
      column.notNull().references('users.user_id').onDelete('cascade'),
    )
    .addPrimaryKeyConstraint('user_external_ids_pkey', ['auth_provider', 'external_id'])
    .execute();
  await db.schema.createIndex('user_external_ids_user').on('user_external_ids').column('user_id').execute();

  await db.schema
    .createTable('user_connections')
    .addColumn('user_id', 'text', (column) =>
      column.notNull().references('users.user_id').onDelete('cascade'),
    )
    .addColumn('ip', 'text', (column) => column.notNull())
    .addColumn('user_agent', 'text', (column) => column.notNull())
    .addColumn('last_seen_ts', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('user_connections_pkey', ['user_id', 'ip', 'user_agent'])
    .execute();

  await db.schema
    .createTable('registration_tokens')
    .addColumn('token', 'text', (column) => column.primaryKey())
    .addColumn('uses_allowed', 'bigint')
    .addColumn('completed', 'bigint', (column) => column.notNull().defaultTo(0))
    .addColumn('expiry_time', 'bigint')
    .execute();
}
