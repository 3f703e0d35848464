/** How far the lists of reports are settled, for whoever reads on from where they were. */
import { sql } from 'kysely';
import type { Database } from '../database/schema.ts';

/**
 * The identifier up to which every report can be seen that ever will be: whoever has read the list up to it never
 * finds another report there later. Take it first and read after that, in a later statement of the same database.
 *
 * While a transaction that adds reports is open, in any process, it stays before those reports. PostgreSQL only: what
 * is committed to a SQLite file was written one transaction after the other, so there it is the newest one.
 */
export async function settledReports(db: Database, kind: 'event' | 'user' = 'event'): Promise<number> {
  const settled = kind === 'event' ? sql`settled_event_report()` : sql`settled_user_report()`;
  const { rows } = await sql<{ settled: number }>`select ${settled} as settled`.execute(db);
  return rows[0]?.settled ?? 0;
}
