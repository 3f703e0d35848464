import { afterAll, beforeAll, expect, test } from 'vitest';
import { manualClock } from '../../manual-clock.ts';
import { call, startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { connectTo, parseReply, type RawConnection } from '../raw-connection.ts';

const clock = manualClock();
let homeserver: TestHomeserver;
let uploadHead: (length: number) => string;
beforeAll(async () => {
  homeserver = await startHomeserver({ clock });
  const { accessToken } = homeserver.as('alice');
  uploadHead = (length) =>
    `POST /_matrix/media/v3/upload HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${accessToken}\r\ncontent-length: ${length}\r\n\r\n`;
});
afterAll(() => homeserver.remove());

/** Sends text; when it resolves, the server has read it: it answers in the order in which things come. */
async function sendTo(connection: RawConnection, text: string): Promise<void> {
  await connection.write(text);
  expect((await call(homeserver.url, 'GET', '/health')).status).toBe(200);
}

/** Lets time pass until the server has closed the connection; meanwhile it does what it is about to do. */
async function closedWithTime({ closed }: RawConnection): Promise<string> {
  let isClosed = false;
  const text = closed.finally(() => {
    isClosed = true;
  });
  while (!isClosed) {
    clock.advance(10_000);
    await call(homeserver.url, 'GET', '/health');
  }
  return text;
}

test.each<[string, () => string]>([
  ['half an upload', () => uploadHead(100_000) + 'x'.repeat(50_000)],
  ['an upload of which nothing comes', () => uploadHead(100_000)],
  [
    'half a body',
    () =>
      'POST /_matrix/client/v3/login HTTP/1.1\r\nhost: localhost\r\ncontent-length: 100\r\n\r\n{"type": "m.login.pass',
  ],
  [
    'half a body in chunks',
    () =>
      'POST /_matrix/client/v3/login HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{"typ\r\n',
  ],
])('%s ends with a reply that says so, and the connection with it', async (_, text) => {
  const connection = await connectTo(homeserver.url);
  await sendTo(connection, text());
  const { status, headers, body } = parseReply(await closedWithTime(connection));
  expect({ status, body: JSON.parse(body) }).toEqual({
    status: 408,
    body: { errcode: 'M_UNKNOWN', error: expect.stringMatching(/too slow/i) },
  });
  expect(headers).toContain('connection: close');
});

test('a body that trickles in ends, too', async () => {
  const connection = await connectTo(homeserver.url);
  await sendTo(connection, uploadHead(100_000));
  for (let byte = 0; byte < 60; byte++) {
    await connection.write('x');
    clock.advance(1000);
  }
  expect(parseReply(await connection.closed).status).toBe(408);
});

test('an upload that is slow but steady arrives whole', async () => {
  const connection = await connectTo(homeserver.url);
  const [pieces, size] = [120, 1000];
  await sendTo(connection, uploadHead(pieces * size));
  for (let piece = 0; piece < pieces; piece++) {
    await sendTo(connection, 'x'.repeat(size));
    clock.advance(1000);
  }
  await expect.poll(() => connection.received()).toContain('content_uri');
  expect(parseReply(connection.received()).status).toBe(200);
  connection.socket.destroy();
});
