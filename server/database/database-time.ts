/** The time that all processes agree on which share a database. */
import { type RawBuilder, sql } from 'kysely';
import type { Clock } from '../core/clock.ts';
import { isPostgres } from './engine.ts';
import type { Database } from './schema.ts';

/**
 * The database's time as a statement sees it, in milliseconds since the Unix epoch. Clocks of machines differ; what
 * ends at a time that another process looks at is kept by this one. A SQLite file has one process and its clock.
 */
export function databaseTime(db: Database, clock: Pick<Clock, 'now' | 'databaseTime'>): RawBuilder<number> {
  if (!isPostgres(db)) return sql<number>`${clock.now()}`;
  const time = clock.databaseTime?.();
  return time === undefined
    ? sql<number>`extract(epoch from clock_timestamp())::double precision * 1000`
    : sql<number>`${time}::double precision`;
}
