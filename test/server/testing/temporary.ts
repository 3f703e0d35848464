import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Services } from '../../../server/app/services.ts';
import { startTemporaryServer, type TemporaryServer } from '../../../server/app/temporary-server.ts';
import { createUser } from '../../../server/identity/accounts/create-user.ts';
import { openSession } from '../../../server/identity/sessions/sessions.ts';
import { loadConfig } from '../../../server/platform/config/load.ts';
import { writeSqliteDatabase } from '../database.ts';

export type Temporary = Pick<TemporaryServer, 'url'> & {
  adminToken: string;
  /** Stops it and deletes its data. */
  remove(): Promise<void>;
};

/** Starts a temporary server in this process, with the server admin `admin`. */
export async function startTemporary(
  fill: (services: Services) => Promise<void>,
  settings: Record<string, unknown> = {},
): Promise<Temporary> {
  const dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-temporary-'));
  const config = await loadConfig({ dataDir, port: 0, console: false, complete: () => settings });
  await writeSqliteDatabase(join(dataDir, 'homeserver.db'));
  let adminToken = '';
  const server = await startTemporaryServer(config, async (services) => {
    const userId = await createUser(services, { localpart: 'admin', admin: true });
    const sessions = { ...config.sessions, plainTokenMs: undefined };
    adminToken = (await openSession({ ...services, config: { sessions } }, userId)).accessToken;
    await fill(services);
  });
  return {
    url: server.url,
    adminToken,
    async remove() {
      await server.stop();
      await rm(dataDir, { recursive: true });
    },
  };
}
