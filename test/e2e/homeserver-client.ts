import { gatehouse } from '../server/gatehouse.ts';
import { call, type Reply } from '../server/homeserver.ts';
import type { RunningHost } from './hosts.ts';

export type Administrator = {
  get(path: string): Promise<Reply>;
  post(path: string, body: unknown): Promise<Reply>;
  put(path: string, body: unknown): Promise<Reply>;
};

/** An administrator of the running homeserver who uses it over HTTP, beside the console. */
export async function administratorOf({ dataDir, homeserverUrl }: RunningHost): Promise<Administrator> {
  await gatehouse('users', 'add', 'auditor', '--password', 'pass-word', '--admin', '--data-dir', dataDir);
  const login = await call(homeserverUrl, 'POST', '/_chat/client/v3/login', undefined, {
    type: 'm.login.password',
    user: 'auditor',
    password: 'pass-word',
  });
  const token = login.body.access_token as string;
  return {
    get: (path) => call(homeserverUrl, 'GET', path, token),
    post: (path, body) => call(homeserverUrl, 'POST', path, token, body),
    put: (path, body) => call(homeserverUrl, 'PUT', path, token, body),
  };
}
