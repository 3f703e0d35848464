import { type ColumnDefinitionBuilder, type Kysely, SqliteAdapter, sql } from 'kysely';

const ofUser = (column: ColumnDefinitionBuilder) =>
  column.notNull().references('users.user_id').onDelete('cascade');
const required = (column: ColumnDefinitionBuilder) => column.notNull();

/** What clients encrypt with: the server keeps it for them, and can read nothing by it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await makeDeviceTables(db);
  await makeCrossSigningTables(db);
  await makeBackupTables(db);
}

/** A table of what belongs to a device, and goes with it. */
const ofDevice = (db: Kysely<unknown>, table: string) =>
  db.schema
    .createTable(table)
    .addColumn('user_id', 'text', required)
    .addColumn('device_id', 'text', required)
    .addForeignKeyConstraint(
      `${table}_device`,
      ['user_id', 'device_id'],
      'devices',
      ['user_id', 'device_id'],
      (constraint) => constraint.onDelete('cascade'),
    );

async function makeDeviceTables(db: Kysely<unknown>): Promise<void> {
  await ofDevice(db, 'device_keys')
    .addColumn('json', 'text', required)
    .addPrimaryKeyConstraint('device_keys_pkey', ['user_id', 'device_id'])
    .execute();

  await ofDevice(db, 'one_time_keys')
    .addColumn('algorithm', 'text', required)
    .addColumn('key_id', 'text', required)
    .addColumn('added_ts', 'bigint', required)
    .addColumn('json', 'text', required)
    .addPrimaryKeyConstraint('one_time_keys_pkey', ['user_id', 'device_id', 'algorithm', 'key_id'])
    .execute();
  // The oldest is the next one that somebody gets.
  await db.schema
    .createIndex('one_time_keys_order')
    .on('one_time_keys')
    .columns(['user_id', 'device_id', 'algorithm', 'added_ts', 'key_id'])
    .execute();

  await ofDevice(db, 'fallback_keys')
    .addColumn('algorithm', 'text', required)
    .addColumn('key_id', 'text', required)
    .addColumn('json', 'text', required)
    .addColumn('used', 'integer', (column) => column.notNull().defaultTo(0))
    .addPrimaryKeyConstraint('fallback_keys_pkey', ['user_id', 'device_id', 'algorithm'])
    .execute();

  await ofDevice(db, 'to_device_messages')
    .addColumn('stream_id', 'bigint', required)
    .addColumn('sender', 'text', required)
    .addColumn('type', 'text', required)
    .addColumn('content', 'text', required)
    .addPrimaryKeyConstraint('to_device_messages_pkey', ['user_id', 'device_id', 'stream_id'])
    .execute();

  await db.schema
    .createTable('to_device_transactions')
    .addColumn('user_id', 'text', ofUser)
    // Empty for who has no device.
    .addColumn('device_id', 'text', required)
    .addColumn('type', 'text', required)
    .addColumn('transaction_id', 'text', required)
    .addColumn('sent_ts', 'bigint', required)
    .addPrimaryKeyConstraint('to_device_transactions_pkey', [
      'user_id',
      'device_id',
      'type',
      'transaction_id',
    ])
    .execute();
  await db.schema
    .createIndex('to_device_transactions_age')
    .on('to_device_transactions')
    .column('sent_ts')
    .execute();

  await ofDevice(db, 'dehydrated_devices')
    .addColumn('json', 'text', required)
    .addPrimaryKeyConstraint('dehydrated_devices_pkey', ['user_id'])
    .execute();

  // The newest change only: who has seen an older one looks again all the same.
  await db.schema
    .createTable('device_list_changes')
    .addColumn('user_id', 'text', required)
    // Whom it concerns alone; empty for everyone who shares an encrypted room.
    .addColumn('seen_by', 'text', (column) => column.notNull().defaultTo(''))
    .addColumn('stream_id', 'bigint', required)
    .addPrimaryKeyConstraint('device_list_changes_pkey', ['user_id', 'seen_by'])
    .execute();
  await db.schema
    .createIndex('device_list_changes_stream')
    .on('device_list_changes')
    .columns(['seen_by', 'stream_id'])
    .execute();
}

async function makeCrossSigningTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('cross_signing_keys')
    .addColumn('user_id', 'text', ofUser)
    .addColumn('usage', 'text', required)
    .addColumn('json', 'text', required)
    .addPrimaryKeyConstraint('cross_signing_keys_pkey', ['user_id', 'usage'])
    .execute();

  // Beside the keys, because others' signatures come later and are seen by those who made them alone.
  await db.schema
    .createTable('key_signatures')
    .addColumn('user_id', 'text', ofUser)
    .addColumn('key_id', 'text', required)
    .addColumn('target_user_id', 'text', required)
    // A device, or the public part of a cross-signing key.
    .addColumn('target_key', 'text', required)
    .addColumn('signature', 'text', required)
    .addPrimaryKeyConstraint('key_signatures_pkey', ['target_user_id', 'target_key', 'user_id', 'key_id'])
    .execute();
  await forgetSignaturesOfDevices(db);
}

/** What was signed of a device goes with it: another one may have its name one day. */
async function forgetSignaturesOfDevices(db: Kysely<unknown>): Promise<void> {
  const forget = sql`delete from key_signatures
    where target_user_id = old.user_id and target_key = old.device_id`;
  if (db.getExecutor().adapter instanceof SqliteAdapter) {
    await sql`create trigger forget_device_signatures after delete on devices begin ${forget}; end`.execute(
      db,
    );
    return;
  }
  await sql`
    create function forget_device_signatures() returns trigger language plpgsql as $$
    begin
      ${forget};
      return null;
    end $$`.execute(db);
  await sql`
    create trigger forget_device_signatures after delete on devices
    for each row execute function forget_device_signatures()`.execute(db);
}

async function makeBackupTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('key_backups')
    .addColumn('user_id', 'text', ofUser)
    .addColumn('version', 'integer', required)
    .addColumn('algorithm', 'text', required)
    .addColumn('auth_data', 'text', required)
    .addColumn('etag', 'bigint', (column) => column.notNull().defaultTo(0))
    .addColumn('key_count', 'integer', (column) => column.notNull().defaultTo(0))
    // A version that was deleted is never given again.
    .addColumn('deleted', 'integer', (column) => column.notNull().defaultTo(0))
    .addPrimaryKeyConstraint('key_backups_pkey', ['user_id', 'version'])
    .execute();
  await sql`create index key_backups_latest on key_backups (user_id, version) where deleted = 0`.execute(db);

  await db.schema
    .createTable('key_backup_sessions')
    .addColumn('user_id', 'text', required)
    .addColumn('version', 'integer', required)
    .addColumn('room_id', 'text', required)
    .addColumn('session_id', 'text', required)
    .addColumn('first_message_index', 'bigint', required)
    .addColumn('forwarded_count', 'bigint', required)
    .addColumn('is_verified', 'integer', required)
    .addColumn('session_data', 'text', required)
    .addPrimaryKeyConstraint('key_backup_sessions_pkey', ['user_id', 'version', 'room_id', 'session_id'])
    .addForeignKeyConstraint(
      'key_backup_sessions_backup',
      ['user_id', 'version'],
      'key_backups',
      ['user_id', 'version'],
      (constraint) => constraint.onDelete('cascade'),
    )
    .execute();
}
