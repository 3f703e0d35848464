import { type Kysely, SqliteAdapter, sql } from 'kysely';

/** How many reports there are from one place to the next. */
const spacing = sql.lit(1_000);
/** Shorter lists have no places: as many are skipped without. */
const worthwhile = sql.lit(4_000);
/** How close to the newest report others may still be added before it, in milliseconds. */
const unsettled = sql.lit(10_000);

/**
 * Places in long lists of reports are kept here, and not found again by each process after each start and deletion:
 * for a million reports that took a second.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('event_report_places')
    .addColumn('room_id', 'text', (column) => column.notNull())
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addColumn('sender', 'text', (column) => column.notNull())
    .addColumn('received_ts', 'bigint', (column) => column.notNull())
    .addColumn('id', 'bigint', (column) => column.notNull())
    .addColumn('reports', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('event_report_places_key', [
      'room_id',
      'user_id',
      'sender',
      'received_ts',
      'id',
    ] as 'id'[])
    .execute();
  // How many of the changes the places have followed: a process of an older build changes the order without them.
  await db.schema
    .alterTable('event_report_order')
    .addColumn('followed', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute();
  await sql`update event_report_order set followed = changes`.execute(db);

  const { rows } = await sql<{ room_id: string; user_id: string; sender: string }>`
    select room_id, user_id, sender from event_report_totals
    group by room_id, user_id, sender having sum(total) >= ${worthwhile}`.execute(db);
  const settled =
    db.getExecutor().adapter instanceof SqliteAdapter ? sql`true` : sql`id <= settled_event_report()`;
  for (const { room_id, user_id, sender } of rows) {
    const filters = Object.entries({ room_id, user_id, sender }).filter(([, value]) => value !== '');
    const conditions = [settled, ...filters.map(([name, value]) => sql`${sql.ref(name)} = ${value}`)];
    await sql`
      insert into event_report_places (room_id, user_id, sender, received_ts, id, reports)
      select ${room_id}, ${user_id}, ${sender}, received_ts, id, ${spacing}
      from (
        select received_ts, id, row_number() over (order by received_ts, id) as number
        from event_reports where ${sql.join(conditions, sql` and `)}
      ) as numbered
      where number % ${spacing} = 0
        and received_ts < (select max(received_ts) from event_reports) - ${unsettled}`.execute(db);
  }
}
