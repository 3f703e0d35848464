import { type RawBuilder, sql } from 'kysely';
import type { Clock } from '../core/clock.ts';
import { isPostgres } from './engine.ts';
import type { Database } from './schema.ts';

/**
 * The database's time as seen by a statement, in milliseconds since the Unix epoch. It is the same for all processes of a
 * database. On SQLite, which has one process, it is that process's clock.
 */
export function databaseTime(db: Database, clock: Pick<Clock, 'now' | 'databaseTime'>): RawBuilder<number> {
  if (!isPostgres(db)) return sql<number>`${clock.now()}`;
  const time = clock.databaseTime?.();
  return time === undefined
    ? sql<number>`extract(epoch from clock_timestamp())::double precision * 1000`
    : sql<number>`${time}::double precision`;
}
