/** A user who is logged in on a served homeserver. */
import { createHmac } from 'node:crypto';
import { call, type Reply } from '../homeserver.ts';
import { sharedSecret } from './data.ts';

export type SignedIn = {
  token: string;
  get(path: string): Promise<Reply>;
  put(path: string, body: unknown): Promise<Reply>;
  post(path: string, body: unknown): Promise<Reply>;
  /** Uploads text and returns the media ID. */
  upload(content: string): Promise<string>;
  /** Uploads text to a created media ID and returns the reply's status. */
  fill(mediaId: string, content: string): Promise<number>;
  download(mediaId: string): Promise<{ status: number; content: string }>;
};

/** Registers an admin with `sharedSecret` on the server at `url` and logs in. Paths are below `/_chat/client/v3`. */
export async function signIn(url: string, name = 'admin'): Promise<SignedIn> {
  const client = '/_chat/client/v3';
  const { body } = (await register(url, name)) ?? (await logIn(url, name));
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

const password = 'secret';

/** Returns undefined if the username is taken. */
async function register(url: string, username: string): Promise<Reply | undefined> {
  const path = '/_service/admin/v1/register';
  const { nonce } = (await call(url, 'GET', path)).body;
  const mac = createHmac('sha1', sharedSecret).update([nonce, username, password, 'admin'].join('\0'));
  const user = { nonce, username, password, admin: true, mac: mac.digest('hex') };
  const reply = await call(url, 'POST', path, undefined, user);
  return reply.body.errcode === 'M_USER_IN_USE' ? undefined : reply;
}

const logIn = (url: string, user: string) =>
  call(url, 'POST', '/_chat/client/v3/login', undefined, {
    type: 'm.login.password',
    identifier: { type: 'm.id.user', user },
    password,
  });
