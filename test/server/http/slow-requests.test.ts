import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../../server/platform/core/clock.ts';
import { listen } from '../../../server/platform/http/listen.ts';
import { connectTo, parseReply } from '../raw-connection.ts';

type Listening = Awaited<ReturnType<typeof listen>>;

let listening: Listening;
beforeAll(async () => {
  const listener = {
    port: 0,
    bindAddresses: ['127.0.0.1'],
    trustsProxy: false,
    tls: undefined,
    settings: { port: '', bindAddresses: '' },
  };
  listening = await listen([listener], () => {}, { clock: systemClock, log: {} as never, timeout: 100 });
});
afterAll(() => listening.close());

// Node checks connections every two seconds, so all tests wait for the same check.
const post = (more: string) => `POST / HTTP/1.1\r\nhost: localhost\r\n${more}`;

test.concurrent.each([
  ['silence', ''],
  ['half a header', 'GET /_matrix/client/versions HTTP/1.1\r\nhost: loc'],
  ['half a body', post('content-length: 100\r\n\r\n{"type": "m.login.pass')],
  ['half a body in chunks', post('transfer-encoding: chunked\r\n\r\n5\r\n{"typ\r\n')],
  ['a body that never arrives', post('content-length: 100\r\n\r\n')],
])('%s holds its connection for a limited time', async (_, text) => {
  const connection = await connectTo(listening.urls[0] ?? '');
  if (text) await connection.write(text);
  const { status, headers, body } = parseReply(await connection.closed);
  expect({ status, body: JSON.parse(body) }).toEqual({
    status: 408,
    body: { errcode: 'M_UNKNOWN', error: 'Request timeout' },
  });
  expect(headers).toContain('connection: close');
});
