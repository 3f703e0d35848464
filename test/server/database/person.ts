/** Somebody who is logged in at a served homeserver. */
import { gatehouse } from '../gatehouse.ts';
import { call, type Reply } from '../homeserver.ts';
import type { Data } from './data.ts';

export type SignedIn = {
  token: string;
  get(path: string): Promise<Reply>;
  put(path: string, body: unknown): Promise<Reply>;
  post(path: string, body: unknown): Promise<Reply>;
  /** Uploads a text and gives the identifier. */
  upload(content: string): Promise<string>;
  /** Uploads a text to an address that was given out, and gives the reply's status. */
  fill(mediaId: string, content: string): Promise<number>;
  download(mediaId: string): Promise<{ status: number; content: string }>;
};

/** Makes an administrator in data that is served at `url`, and logs in. Paths are below `/_chat/client/v3`. */
export async function signIn(data: Pick<Data, 'source'>, url: string, name = 'admin'): Promise<SignedIn> {
  await gatehouse('users', 'add', name, '--password', 'secret', '--admin', ...data.source);
  const client = '/_chat/client/v3';
  const { body } = await call(url, 'POST', `${client}/login`, undefined, {
    type: 'm.login.password',
    identifier: { type: 'm.id.user', user: name },
    password: 'secret',
  });
  const send = (method: string) => (path: string, content?: unknown) =>
    call(url, method, client + path, body.access_token, content);
  const headers = { authorization: `Bearer ${body.access_token}`, 'content-type': 'text/plain' };
  return {
    token: body.access_token,
    get: send('GET'),
    put: send('PUT'),
    post: send('POST'),
    async upload(content) {
      const response = await fetch(`${url}/_chat/media/v3/upload`, {
        method: 'POST',
        headers,
        body: content,
      });
      const { content_uri } = (await response.json()) as { content_uri: string };
      return content_uri.replace('mxc://localhost/', '');
    },
    async fill(mediaId, content) {
      const address = `${url}/_chat/media/v3/upload/localhost/${mediaId}`;
      const response = await fetch(address, { method: 'PUT', headers, body: content });
      await response.arrayBuffer();
      return response.status;
    },
    async download(mediaId) {
      const response = await fetch(`${url}/_chat/client/v1/media/download/localhost/${mediaId}`, { headers });
      return { status: response.status, content: await response.text() };
    },
  };
}
