import { type RawBuilder, sql } from 'kysely';
import { isPostgres } from './engine.ts';
import type { Database } from './schema.ts';

/**
 * The part of each total in which a transaction counts: a total is the sum of several, so that those who count at the
 * same time don't wait for each other. On SQLite they come one after the other, and there is one.
 */
export const ownPart = (db: Database): RawBuilder<number> =>
  isPostgres(db) ? sql<number>`part_of_totals()` : sql.lit(0);
