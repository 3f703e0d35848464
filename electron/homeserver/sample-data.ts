/** Sample data for the built-in homeserver, at the first start or on request. */
import { listReports } from '../../server/administration/reports/event-report-store.ts';
import { addSampleData } from '../../server/administration/sample-data/add-sample-data.ts';
import type { Homeserver } from '../../server/app/homeserver.ts';
import { hasUsers } from '../../server/identity/accounts/user-store.ts';
import { readFact, writeFact } from '../../server/platform/database/server-facts.ts';

const reports = 250;

/**
 * Adds sample data if there are no users yet. Not only to a new database: an earlier start may have failed. Completes
 * interrupted sample data as far as possible, without duplicates.
 */
export async function fillFirstStart({ services }: Homeserver, say: (line: string) => void): Promise<void> {
  const { db } = services;
  const before = await readFact(db, 'first_sample_data');
  if (before === 'complete' || (before === undefined && (await hasUsers(db)))) return;
  say(
    before === undefined
      ? 'Adding sample data to the new server. To start without it, use --empty.'
      : 'Adding the remaining sample data: the last start was interrupted.',
  );
  await writeFact(db, 'first_sample_data', 'begun');
  const { total } = await listReports(db, {}, { from: 0, limit: 0, dir: 'b' });
  await addSampleData(services, { reports: Math.max(0, reports - total) });
  await writeFact(db, 'first_sample_data', 'complete');
}

export const addSampleReports = (services: Homeserver['services']) => addSampleData(services, { reports });
