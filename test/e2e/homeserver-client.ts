import { withServices } from '../../server/app/commands/with-services.ts';
import { createUser } from '../../server/identity/accounts/create-user.ts';
import { openSession } from '../../server/identity/sessions/sessions.ts';
import { call, type Reply } from '../server/homeserver.ts';
import type { RunningHost } from './hosts.ts';

export type Administrator = {
  get(path: string): Promise<Reply>;
  post(path: string, body: unknown): Promise<Reply>;
  put(path: string, body: unknown): Promise<Reply>;
};

/** An admin who calls the running homeserver's API directly. */
export async function administratorOf({ dataDir, homeserverUrl }: RunningHost): Promise<Administrator> {
  let token: string | undefined;
  await withServices({ dataDir }, async (services) => {
    const userId = await createUser(services, { localpart: 'auditor', admin: true });
    token = (await openSession(services, userId)).accessToken;
  });
  return {
    get: (path) => call(homeserverUrl, 'GET', path, token),
    post: (path, body) => call(homeserverUrl, 'POST', path, token, body),
    put: (path, body) => call(homeserverUrl, 'PUT', path, token, body),
  };
}
