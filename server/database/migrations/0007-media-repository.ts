import type { Kysely } from 'kysely';
import { identityColumn } from './identity-column.ts';

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('media').addColumn('sha256', 'text').execute();
  await db.schema.alterTable('media').addColumn('last_access_ts', 'bigint').execute();
  await db.schema.alterTable('media').addColumn('quarantined_by', 'text').execute();
  for (const [flag, value] of [
    ['safe_from_quarantine', 0],
    ['authenticated', 1],
  ] as const) {
    await db.schema
      .alterTable('media')
      .addColumn(flag, 'integer', (column) => column.notNull().defaultTo(value))
      .execute();
  }
  await db.schema.createIndex('media_sha256').on('media').columns(['sha256', 'quarantined_by']).execute();
  // What was not used for long is found by its last access, or by its upload where there was none.
  await db.schema
    .createIndex('media_use')
    .on('media')
    .columns(['last_access_ts', 'created_ts', 'media_id'])
    .execute();
  await db.schema
    .createIndex('media_created')
    .on('media')
    .columns(['created_ts', 'user_id', 'size'])
    .execute();

  await db.schema
    .createTable('media_totals')
    .addColumn('user_id', 'text', (column) => column.primaryKey())
    .addColumn('media_count', 'bigint', (column) => column.notNull())
    .addColumn('media_length', 'bigint', (column) => column.notNull())
    .execute();

  await db.schema
    .createTable('media_thumbnails')
    .addColumn('media_id', 'text', (column) =>
      column.notNull().references('media.media_id').onDelete('cascade'),
    )
    .addColumn('size_name', 'text', (column) => column.notNull())
    .addColumn('content_type', 'text')
    .addColumn('size', 'bigint')
    .addPrimaryKeyConstraint('media_thumbnails_pkey', ['media_id', 'size_name'])
    .execute();

  await db.schema
    .createTable('pending_media')
    .addColumn('media_id', 'text', (column) => column.primaryKey())
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addColumn('created_ts', 'bigint', (column) => column.notNull())
    .addColumn('expires_ts', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('pending_media_user')
    .on('pending_media')
    .columns(['user_id', 'expires_ts'])
    .execute();
  await db.schema.createIndex('pending_media_expiry').on('pending_media').column('expires_ts').execute();

  await db.schema
    .createTable('deleted_media')
    .addColumn('media_id', 'text', (column) => column.primaryKey())
    .execute();

  await quarantineChanges(db);
  await roomMedia(db);
  // Deleting old media spares what profiles show.
  await db.schema.createIndex('users_avatar').on('users').column('avatar_url').execute();
}

async function quarantineChanges(db: Kysely<unknown>): Promise<void> {
  await identityColumn(db.schema.createTable('media_quarantine_changes'), 'id', db)
    .addColumn('media_id', 'text', (column) => column.notNull())
    .addColumn('quarantined', 'integer', (column) => column.notNull())
    .execute();
}

async function roomMedia(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('room_media')
    .addColumn('stream_ordering', 'bigint', (column) =>
      column.notNull().references('events.stream_ordering').onDelete('cascade'),
    )
    .addColumn('room_id', 'text', (column) => column.notNull())
    .addColumn('server_name', 'text', (column) => column.notNull())
    .addColumn('media_id', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('room_media_pkey', ['stream_ordering', 'server_name', 'media_id'])
    .execute();
  await db.schema
    .createIndex('room_media_room')
    .on('room_media')
    .columns(['room_id', 'server_name', 'media_id'])
    .execute();
  await db.schema
    .createIndex('room_media_media')
    .on('room_media')
    .columns(['media_id', 'server_name', 'room_id'])
    .execute();
}
