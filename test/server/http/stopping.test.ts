import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { gatehouse, type Served, serve } from '../gatehouse.ts';
import { call } from '../homeserver.ts';
import { connectTo, parseReply } from '../raw-connection.ts';

/** More than the grace period that running requests get, by what a busy machine needs. */
const seconds = 20_000;
const uploadSize = 30_000_000;

let dataDir: string;
let server: Served;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-stop-'));
  await gatehouse('users', 'add', 'alice', '--password', 'pass-word', '--data-dir', dataDir);
}, 60_000);
afterEach(() => server.process.kill('SIGKILL'));
afterAll(() => rm(dataDir, { recursive: true }));

async function logIn(): Promise<string> {
  const { body } = await call(server.url, 'POST', '/_chat/client/v3/login', undefined, {
    type: 'm.login.password',
    user: 'alice',
    password: 'pass-word',
  });
  return body.access_token;
}

const login = JSON.stringify({ type: 'm.login.password', user: 'alice', password: 'pass-word' });
const loginHead = `POST /_matrix/client/v3/login HTTP/1.1\r\nhost: localhost\r\ncontent-length: ${login.length}\r\n\r\n`;

type Speaker = (token: string) => Promise<string>;

const says =
  (text: string): Speaker =>
  async () =>
    text;

/** Leaves more to read than the system keeps for a connection. */
const download: Speaker = async (token) => {
  const upload = await fetch(`${server.url}/_matrix/media/v3/upload`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/octet-stream' },
    body: new Uint8Array(uploadSize),
  });
  const { content_uri } = (await upload.json()) as { content_uri: string };
  const path = `/_matrix/client/v1/media/download/${content_uri.slice('mxc://'.length)}`;
  return `GET ${path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${token}\r\n\r\n`;
};

test.each<[string, Speaker]>([
  ['says nothing', says('')],
  ['has sent half a header', says('GET /_matrix/client/versions HTTP/1.1\r\nhost: loc')],
  ['has sent half a body', says(loginHead + login.slice(0, 20))],
  [
    'has sent half an upload',
    async (token) =>
      `POST /_matrix/media/v3/upload HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${token}\r\ncontent-length: 100000\r\n\r\n${'x'.repeat(5000)}`,
  ],
  ['does not read its download', download],
])(
  'SIGTERM ends it within seconds, in spite of a connection that %s',
  { timeout: 90_000 },
  async (_, say) => {
    server = await serve('--data-dir', dataDir);
    const connection = await connectTo(server.url);
    const text = await say(await logIn());
    connection.socket.pause();
    if (text !== '') await connection.write(text);
    // The server has read what was written before this.
    expect((await call(server.url, 'GET', '/health')).status).toBe(200);

    const asked = performance.now();
    const late = setTimeout(() => server.process.kill('SIGKILL'), seconds);
    expect(await server.end('SIGTERM')).toBe(0);
    clearTimeout(late);
    expect(performance.now() - asked).toBeLessThan(seconds);
    connection.socket.destroy();
  },
);

test('a request that runs when SIGTERM comes gets its reply', { timeout: 90_000 }, async () => {
  server = await serve('--data-dir', dataDir);
  const running = await connectTo(server.url);
  await running.write(loginHead + login.slice(0, 20));
  expect((await call(server.url, 'GET', '/health')).status).toBe(200);

  const ended = server.end('SIGTERM');
  await expect.poll(() => accepts(server.url), { timeout: 10_000 }).toBe(false);
  await running.write(login.slice(20));
  const { status, headers, body } = parseReply(await running.closed);
  expect({ status, body: JSON.parse(body) }).toMatchObject({
    status: 200,
    body: { access_token: expect.any(String) },
  });
  expect(headers).toContain('connection: close');
  expect(await ended).toBe(0);
});

async function accepts(url: string): Promise<boolean> {
  try {
    const { socket } = await connectTo(url);
    socket.destroy();
    await once(socket, 'close');
    return true;
  } catch {
    return false;
  }
}
