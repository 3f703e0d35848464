import { type ClientRequest, request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';

let homeserver: TestHomeserver;
beforeAll(async () => {
  homeserver = await startHomeserver();
});
afterAll(() => homeserver.remove());

type Uploading = { request: ClientRequest; status: Promise<number | undefined> };

/** Starts an upload without sending its last byte. */
function begin(name: string): Uploading {
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
  const uploading = request(
    `${homeserver.url}/_chat/media/v3/upload`,
    {
      method: 'POST',
      headers: { authorization: `Bearer ${homeserver.as(name).accessToken}`, 'content-length': 2 },
    },
    (reply) => reply.resume().on('end', () => resolve(reply.statusCode)),
  );
  uploading.on('error', reject).write('a');
  return { request: uploading, status: promise };
}

const upload = async (name: string) => {
  const { request: whole, status } = begin(name);
  whole.end('b');
  return status;
};

test('a user has at most ten concurrent uploads, without delaying others', async () => {
  const eleven = Array.from({ length: 11 }, () => begin('alice'));
  expect(await Promise.race(eleven.map(({ status }) => status))).toBe(429);
  expect(await upload('bob')).toBe(200);
  for (const { request: last } of eleven) last.end('b');
  const statuses = await Promise.all(eleven.map(({ status }) => status));
  expect(statuses.filter((status) => status === 200)).toHaveLength(10);
  expect(await upload('alice')).toBe(200);
});

test("more than ten concurrent uploads of a user are refused, another user’s aren't", async () => {
  const { accessToken } = homeserver.as('alice');
  const statuses: (number | undefined)[] = [];
  const open = Array.from({ length: 12 }, () => {
    const sending = request(`${homeserver.url}/_chat/media/v3/upload`, {
      method: 'POST',
      agent: false,
      headers: { authorization: `Bearer ${accessToken}`, 'content-length': 4, 'content-type': 'text/plain' },
    });
    sending.on('error', () => {});
    sending.on('response', (response) => {
      statuses.push(response.resume().statusCode);
    });
    sending.write('ab');
    return sending;
  });
  await expect.poll(() => statuses).toEqual([429, 429]);
  expect(await homeserver.as('alice').post('/_chat/media/v3/upload', 'more')).toMatchObject({
    status: 429,
    body: { errcode: 'M_LIMIT_EXCEEDED', retry_after_ms: expect.any(Number) },
  });
  expect((await homeserver.as('bob').post('/_chat/media/v3/upload', 'another')).status).toBe(200);
  for (const sending of open) sending.end('cd');
  await expect.poll(() => statuses).toEqual([429, 429, ...Array(10).fill(200)]);
  expect((await homeserver.as('alice').post('/_chat/media/v3/upload', 'more')).status).toBe(200);
});
