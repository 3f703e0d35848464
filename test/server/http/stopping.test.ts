import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { gatehouse, type Served, serve } from '../gatehouse.ts';
import { call } from '../homeserver.ts';
import { connectTo, parseReply, type RawConnection } from '../raw-connection.ts';

/** Grace period for running requests, in milliseconds. */
const gracePeriod = 5_000;
/** Extra time for a busy machine to close the rest. */
const patience = 15_000;
const uploadSize = 30_000_000;

let dataDir: string;
let server: Served;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-stop-'));
  await gatehouse('users', 'add', 'alice', '--password', 'pass-word', '--data-dir', dataDir);
});
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

/** Leaves more data unread than the connection's buffers take. */
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

const upload: Speaker = async (token) =>
  `POST /_matrix/media/v3/upload HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${token}\r\ncontent-length: 100000\r\n\r\n${'x'.repeat(5000)}`;

test.each<[string, number, Speaker[]]>([
  [
    'immediately despite connections without a request or with half a header',
    gracePeriod,
    [says(''), says('GET /_matrix/client/versions HTTP/1.1\r\nhost: loc')],
  ],
  [
    'soon despite half a body, half an upload, a refused one and an unread download',
    gracePeriod + patience,
    [says(loginHead + login.slice(0, 20)), upload, async () => upload('wrong'), download],
  ],
])('SIGTERM ends it %s', async (_, within, speakers) => {
  server = await serve('--data-dir', dataDir);
  const token = await logIn();
  const connections: RawConnection[] = [];
  for (const say of speakers) {
    const text = await say(token);
    const connection = await connectTo(server.url);
    connection.socket.pause();
    if (text !== '') await connection.write(text);
    connections.push(connection);
  }
  // The server has read everything written before this.
  expect((await call(server.url, 'GET', '/health')).status).toBe(200);

  const asked = performance.now();
  const late = setTimeout(() => server.process.kill('SIGKILL'), gracePeriod + patience);
  expect(await server.end('SIGTERM')).toBe(0);
  clearTimeout(late);
  expect(performance.now() - asked).toBeLessThan(within);
  for (const { socket } of connections) socket.destroy();
});

test('SIGTERM ends it soon after downloads whose clients disconnected', async () => {
  server = await serve('--data-dir', dataDir);
  const text = await download(await logIn());
  for (let round = 0; round < 4; round++) {
    const connections = await Promise.all(Array.from({ length: 10 }, () => connectTo(server.url)));
    await Promise.all(
      connections.map(async ({ write, socket }) => {
        await write(text);
        socket.resetAndDestroy();
      }),
    );
  }
  expect((await call(server.url, 'GET', '/health')).status).toBe(200);
  const late = setTimeout(() => server.process.kill('SIGKILL'), gracePeriod + patience);
  expect(await server.end('SIGTERM')).toBe(0);
  clearTimeout(late);
});

test('a running request gets its reply after SIGTERM', async () => {
  server = await serve('--data-dir', dataDir);
  const running = await connectTo(server.url);
  await running.write(loginHead + login.slice(0, 20));
  expect((await call(server.url, 'GET', '/health')).status).toBe(200);

  const ended = server.end('SIGTERM');
  await expect.poll(() => accepts(server.url)).toBe(false);
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

test('requests before SIGTERM get replies on old and new connections', async () => {
  server = await serve('--data-dir', dataDir);
  const request = 'GET /_matrix/client/versions HTTP/1.1\r\nhost: localhost\r\n\r\n';
  const old = await Promise.all(Array.from({ length: 5 }, () => connectTo(server.url)));
  for (const connection of old) {
    await connection.write(request);
    await expect.poll(connection.received).toContain('200 OK');
  }
  // Suspends the server, so it reads nothing until after SIGTERM.
  server.process.kill('SIGSTOP');
  const fresh = await Promise.all(Array.from({ length: 5 }, () => connectTo(server.url)));
  for (const connection of [...old, ...fresh]) await connection.write(request);
  const ended = server.end('SIGTERM');
  server.process.kill('SIGCONT');
  expect(await ended).toBe(0);
  const replies = await Promise.all([...old, ...fresh].map(({ closed }) => closed));
  expect(replies.map((text) => text.split('200 OK').length - 1)).toEqual([2, 2, 2, 2, 2, 1, 1, 1, 1, 1]);
});
