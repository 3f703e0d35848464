import { type Kysely, SqliteAdapter, sql } from 'kysely';

/**
 * How often who did what is counted where processes share it; one process alone counts in its memory. A crash
 * may lose it, so it isn't logged.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  if (db.getExecutor().adapter instanceof SqliteAdapter) return;
  await sql`create unlogged table token_buckets (key text primary key, full_at double precision not null)`.execute(
    db,
  );
}
