/** Sample data for the homeserver in the box: at a newcomer's first start, and when a person asks for it. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Homeserver } from '../server/homeserver.ts';
import { addSampleData } from '../server/sample-data/add-sample-data.ts';

const reports = 250;

/** Asked before the homeserver is made: from then on there is a database. */
export function isFirstStart(dataDir: string): boolean {
  return !existsSync(join(dataDir, 'homeserver.db'));
}

export async function fillFirstStart({ services }: Homeserver, say: (line: string) => void): Promise<void> {
  say('This server is new: it gets sample data, so that there is something to see (--empty goes without).');
  await addSampleData(services, { reports });
}

export const addSampleReports = (services: Homeserver['services']) => addSampleData(services, { reports });
