/** Somebody who is logged in at a served homeserver. */
import { gatehouse } from '../gatehouse.ts';
import { call, type Reply } from '../homeserver.ts';
import type { Data } from './data.ts';

export type SignedIn = {
  get(path: string): Promise<Reply>;
  put(path: string, body: unknown): Promise<Reply>;
  post(path: string, body: unknown): Promise<Reply>;
};

/** Makes an administrator in data that is served at `url`, and logs in. Paths are below `/_chat/client/v3`. */
export async function signIn(data: Data, url: string, name = 'admin'): Promise<SignedIn> {
  await gatehouse('users', 'add', name, '--password', 'secret', '--admin', ...data.source);
  const client = '/_chat/client/v3';
  const { body } = await call(url, 'POST', `${client}/login`, undefined, {
    type: 'm.login.password',
    identifier: { type: 'm.id.user', user: name },
    password: 'secret',
  });
  const send = (method: string) => (path: string, content?: unknown) =>
    call(url, method, client + path, body.access_token, content);
  return { get: send('GET'), put: send('PUT'), post: send('POST') };
}
