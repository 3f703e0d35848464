import { afterAll, beforeAll, expect, test } from 'vitest';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { connectTo, parseReply } from '../raw-connection.ts';

let homeserver: TestHomeserver;
beforeAll(async () => {
  homeserver = await startHomeserver();
});
afterAll(() => homeserver.remove());

const get = (more: string) => `GET /_matrix/client/versions HTTP/1.1\r\nhost: localhost\r\n${more}\r\n\r\n`;
const post = (more: string) =>
  `POST /_matrix/client/v3/login HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n${more}`;

test.each<[string, string, number]>([
  ['other text than HTTP', 'hello\r\n\r\n', 400],
  ['TLS where plain HTTP is spoken', '\x16\x03\x01\x02\x00\x01\x00\r\n\r\n', 400],
  ['an unknown method', 'FROB / HTTP/1.1\r\nhost: localhost\r\n\r\n', 400],
  ['another version of HTTP', 'GET / HTTP/9.9\r\nhost: localhost\r\n\r\n', 400],
  ['no host', 'GET /_matrix/client/versions HTTP/1.1\r\n\r\n', 400],
  ['a header without a name', get(': x'), 400],
  ['a header that is too long', get(`x-long: ${'x'.repeat(100_000)}`), 431],
  ['too many headers', get(Array.from({ length: 5000 }, (_, index) => `x-${index}: y`).join('\r\n')), 431],
  ['an invalid length', post('content-length: many\r\n\r\n'), 400],
  ['two lengths', post('content-length: 2\r\ncontent-length: 3\r\n\r\n{}'), 400],
  ['a length and chunks', post('content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n'), 400],
  ['an invalid chunk', post('transfer-encoding: chunked\r\n\r\nzz\r\n'), 400],
  ['an unknown expectation', get('expect: the-unexpected\r\nconnection: close'), 417],
  ['a tunnel', 'CONNECT elsewhere:443 HTTP/1.1\r\nhost: elsewhere\r\n\r\n', 405],
])('%s is refused with an errcode', async (_, text, status) => {
  const connection = await connectTo(homeserver.url);
  await connection.write(text);
  const reply = parseReply(await connection.closed);
  expect(reply.status).toBe(status);
  expect(reply.headers).toContain('content-type: application/json');
  expect(reply.headers).toContain('access-control-allow-origin: *');
  expect(JSON.parse(reply.body)).toEqual({
    errcode: expect.stringMatching(/^M_[A-Z_]+$/),
    error: expect.stringMatching(/^[A-Z].+/),
  });
});

test('a CONNECT request that is reset ends only its connection', async () => {
  // An unhandled socket error would end the process, and with it the test run.
  const connections = await Promise.all(Array.from({ length: 50 }, () => connectTo(homeserver.url)));
  const closed = connections.map(({ socket, closed }) => {
    socket.write('CONNECT elsewhere:443 HTTP/1.1\r\nhost: elsewhere\r\n\r\n');
    socket.resetAndDestroy();
    return closed;
  });
  await Promise.all(closed);
  const answering = await fetch(`${homeserver.url}/_matrix/client/versions`);
  expect(answering.status).toBe(200);
});
