import { PostgresAdapter } from 'kysely';
import type { Database } from './schema.ts';

/** Whether a database is PostgreSQL, which several processes may serve at once; a SQLite file has one. */
export const isPostgres = (db: Database): boolean => db.getExecutor().adapter instanceof PostgresAdapter;
