import type { Kysely } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { ConfigurationError } from '../config/configuration-error.ts';
import * as accounts from './migrations/0001-accounts.ts';
import * as rooms from './migrations/0002-rooms.ts';
import * as eventReports from './migrations/0003-event-reports.ts';
import * as scheduledTasks from './migrations/0004-scheduled-tasks.ts';
import * as media from './migrations/0005-media.ts';
import * as accountAdministration from './migrations/0006-accounts.ts';
import * as mediaRepository from './migrations/0007-media-repository.ts';
import * as roomDirectory from './migrations/0008-room-directory.ts';
import * as roomEventsByTime from './migrations/0008-room-events-by-time.ts';
import * as roomListFilter from './migrations/0008-room-list-filter.ts';
import * as roomTraces from './migrations/0008-room-traces.ts';
import * as tasksQueue from './migrations/0009-tasks-queue.ts';
import * as tokenBuckets from './migrations/0009-token-buckets.ts';
import type { Schema } from './schema.ts';
import { readFact } from './server-facts.ts';

const migrations: Record<string, Migration> = {
  '0001-accounts': accounts,
  '0002-rooms': rooms,
  '0003-event-reports': eventReports,
  '0004-scheduled-tasks': scheduledTasks,
  '0005-media': media,
  '0006-accounts': accountAdministration,
  '0007-media-repository': mediaRepository,
  '0008-room-directory': roomDirectory,
  '0008-room-events-by-time': roomEventsByTime,
  '0008-room-list-filter': roomListFilter,
  '0008-room-traces': roomTraces,
  '0009-tasks-queue': tasksQueue,
  '0009-token-buckets': tokenBuckets,
};

/** In the order in which they run. */
export const migrationNames = Object.keys(migrations);

/**
 * Brings the database to the newest schema; the server does not start until it is. Interface: "Upgrade rules" 2.
 * All that is missing is one transaction on one connection, so whoever is killed on the way has changed nothing.
 *
 * @throws ConfigurationError where an earlier build, that did without one, was killed on the way
 */
export async function migrate(db: Kysely<Schema>): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  const { error } = await migrator.migrateToLatest();
  if (error) throw isHalfMade(error) ? await halfMadeRefusal(db) : error;
}

const isHalfMade = (error: unknown) =>
  error instanceof Error && /already exists|duplicate column name/.test(error.message);

/** A first start writes the server's name when all tables are there: without it nothing was ever kept in them. */
async function halfMadeRefusal(db: Kysely<Schema>): Promise<ConfigurationError> {
  const used = await readFact(db, 'server_name').catch(() => undefined);
  return new ConfigurationError(
    'database',
    used === undefined
      ? 'a first start of an earlier build was killed while it made this database, and nothing was kept in it yet'
      : 'an earlier build was killed while it changed the tables of this database',
    used === undefined ? 'delete it and start again' : 'restore it from the backup made before that upgrade',
  );
}
