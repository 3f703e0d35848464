import { PostgresAdapter } from 'kysely';
import { ConfigurationError } from '../config/configuration-error.ts';
import { isAtLeast } from '../core/version.ts';
import type { Database } from './schema.ts';

/** Whether a database is PostgreSQL, which several processes may serve at once; a SQLite file has one. */
export const isPostgres = (db: Database): boolean => db.getExecutor().adapter instanceof PostgresAdapter;

/**
 * Refuses a database engine that is too old.
 *
 * @param found version as the engine reports it, such as `14.9 (Debian 14.9-1)`
 * @throws ConfigurationError that names the found version
 */
export function requireVersion(engine: string, minimum: string, found: string): void {
  if (isAtLeast(minimum, found)) return;
  throw new ConfigurationError(
    'database',
    `${engine} ${found} is too old; ${minimum} or later is required`,
    `upgrade ${engine}`,
  );
}
