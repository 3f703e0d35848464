import { type Kysely, sql } from 'kysely';

/** What a list can be filtered by at once: each pair gets an index that also holds the order. */
const pairs = [
  ['room_id', 'user_id'],
  ['room_id', 'sender'],
  ['user_id', 'sender'],
] as const;

/**
 * Any page of the reports costs the same, whatever it is filtered by; and those who report at the same time don't
 * wait for each other: each total is the sum of several, and each of them takes one.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [one, other] of pairs) {
    await db.schema
      .createIndex(`event_reports_${one}_${other}`)
      .on('event_reports')
      .columns([one, other, 'received_ts', 'id'])
      .execute();
  }

  await db.schema.alterTable('event_report_totals').renameTo('event_report_totals_before').execute();
  await db.schema
    .createTable('event_report_totals')
    .addColumn('room_id', 'text', (column) => column.notNull())
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addColumn('sender', 'text', (column) => column.notNull())
    .addColumn('part', 'integer', (column) => column.notNull())
    // One part may have counted what another has taken away.
    .addColumn('total', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('event_report_totals_parts', ['room_id', 'user_id', 'sender', 'part'])
    .execute();
  await sql`insert into event_report_totals (room_id, user_id, sender, part, total)
    select room_id, user_id, sender, 0, total from event_report_totals_before`.execute(db);
  await db.schema.dropTable('event_report_totals_before').execute();

  // How often the order of reports was changed otherwise than at its newest end.
  await db.schema
    .createTable('event_report_order')
    .addColumn('changes', 'bigint', (column) => column.notNull())
    .execute();
  await sql`insert into event_report_order (changes) values (0)`.execute(db);
}
