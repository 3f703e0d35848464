import type { Kysely } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
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
import * as tokenBuckets from './migrations/0009-token-buckets.ts';
import type { Schema } from './schema.ts';

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
  '0009-token-buckets': tokenBuckets,
};

/** Brings the database to the newest schema; the server does not start until it is. Interface: "Upgrade rules" 2. */
export async function migrate(db: Kysely<Schema>): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  const { error } = await migrator.migrateToLatest();
  if (error) throw error;
}
