import type { Kysely } from 'kysely';
import { identityColumn } from './identity-column.ts';

/** What pages that people link to say of themselves, as they were looked at. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await identityColumn(db.schema.createTable('url_previews'), 'id', db)
    .addColumn('url', 'text', (column) => column.notNull())
    .addColumn('fetched_ts', 'bigint', (column) => column.notNull())
    .addColumn('preview', 'text', (column) => column.notNull())
    .addColumn('media_id', 'text')
    .execute();
  await db.schema.createIndex('url_previews_url').on('url_previews').columns(['url', 'fetched_ts']).execute();
  await db.schema.createIndex('url_previews_age').on('url_previews').columns(['fetched_ts']).execute();
}
