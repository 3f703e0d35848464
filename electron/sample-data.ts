/** Sample data for the homeserver in the box: at a newcomer's first start, and when a person asks for it. */
import { hasUsers } from '../server/accounts/user-store.ts';
import type { Homeserver } from '../server/homeserver.ts';
import { addSampleData } from '../server/sample-data/add-sample-data.ts';

const reports = 250;

/** Only where nobody has an account yet, whatever its database is: an earlier start may have failed at its port, say. */
export async function fillFirstStart({ services }: Homeserver, say: (line: string) => void): Promise<void> {
  if (await hasUsers(services.db)) return;
  say('This server is new: it gets sample data, so that there is something to see (--empty goes without).');
  await addSampleData(services, { reports });
}

export const addSampleReports = (services: Homeserver['services']) => addSampleData(services, { reports });
