/** The bundled homeserver with the built console, in this process: empty, or with sample data. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { insertUserReport } from '../../server/administration/reports/user-report-store.ts';
import { addSampleData } from '../../server/administration/sample-data/add-sample-data.ts';
import { createHomeserver } from '../../server/app/homeserver.ts';
import { createUser } from '../../server/identity/accounts/create-user.ts';
import { openSession } from '../../server/identity/sessions/sessions.ts';
import { loadConfig } from '../../server/platform/config/load.ts';
import { inTransaction } from '../../server/platform/database/transaction.ts';
import type { Connection } from '../../shared/connection.ts';
import { probedBefore } from './probed-before.ts';

const reportsOnUsers = [
  'Offers “free” coins in private messages',
  'Same as yesterday:\nnew account, old links',
  '',
].map((reason, index) => ({
  receivedTs: Date.now() - (3 - index) * 3_600_000,
  targetUserId: '@mallory:localhost',
  userId: index === 1 ? '@ada:localhost' : '@grace:localhost',
  reason,
}));

export type SampleHomeserver = Awaited<ReturnType<typeof startSampleHomeserver>>;

/** @param reports number of reports; with 0, the server is empty */
export async function startSampleHomeserver({ reports }: { reports: number }) {
  const dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-console-'));
  const homeserver = await createHomeserver(await loadConfig({ dataDir, port: 0 }));
  await homeserver.start();
  const { services, url } = homeserver;
  if (reports > 0) {
    await addSampleData(services, { reports });
    for (const report of reportsOnUsers)
      await inTransaction(services.db, (tx) => insertUserReport(tx, report));
  }
  const userId = await createUser(services, { localpart: 'moderator', admin: true });
  const { accessToken } = await openSession(services, userId);
  const connection: Connection = {
    id: 'moderator@sample',
    baseUrl: url,
    dialect: 'vendor',
    userId,
    local: false,
  };

  return {
    url,
    services,
    /** Signs an admin in to pages opened from now on. */
    signIn: (page: Page) =>
      page.addInitScript(
        (sessions) => sessionStorage.setItem('gatehouse.sessions', sessions),
        JSON.stringify([{ connection, accessToken }]),
      ),
    /** Stores the server's features, so that the console doesn't probe it. */
    meetBefore: (page: Page) => probedBefore(page, connection, accessToken),
    async stop() {
      await homeserver.stop();
      await rm(dataDir, { recursive: true });
    },
  };
}
