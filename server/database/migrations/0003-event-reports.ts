import { type Kysely, sql } from 'kysely';
import { identityColumn } from './identity-column.ts';

/** The columns that a list can be filtered by; each gets an index that also holds the order. */
const filters = ['room_id', 'user_id', 'sender'] as const;

export async function up(db: Kysely<unknown>): Promise<void> {
  await identityColumn(db.schema.createTable('event_reports'), 'id', db)
    .addColumn('received_ts', 'bigint', (column) => column.notNull())
    .addColumn('room_id', 'text', (column) => column.notNull())
    .addColumn('event_id', 'text', (column) => column.notNull())
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addColumn('sender', 'text', (column) => column.notNull())
    .addColumn('reason', 'text')
    .addColumn('score', 'bigint')
    .execute();
  await db.schema
    .createIndex('event_reports_order')
    .on('event_reports')
    .columns(['received_ts', 'id'])
    .execute();
  for (const filter of filters) {
    await db.schema
      .createIndex(`event_reports_${filter}`)
      .on('event_reports')
      .columns([filter, 'received_ts', 'id'])
      .execute();
  }
  await db.schema.createIndex('event_reports_event').on('event_reports').column('event_id').execute();

  await db.schema
    .createTable('event_report_totals')
    .addColumn('room_id', 'text', (column) => column.notNull())
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addColumn('sender', 'text', (column) => column.notNull())
    .addColumn('total', 'bigint', (column) => column.notNull().check(sql`total >= 0`))
    .addPrimaryKeyConstraint('event_report_totals_pkey', ['room_id', 'user_id', 'sender'])
    .execute();
}
