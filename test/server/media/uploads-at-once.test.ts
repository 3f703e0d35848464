import { type ClientRequest, request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';

let homeserver: TestHomeserver;
beforeAll(async () => {
  homeserver = await startHomeserver();
});
afterAll(() => homeserver.remove());

type Uploading = { request: ClientRequest; status: Promise<number | undefined> };

/** An upload of which the last byte is yet to come. */
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

test('a user has ten uploads under way and no more, which keeps nobody else waiting', async () => {
  const eleven = Array.from({ length: 11 }, () => begin('alice'));
  expect(await Promise.race(eleven.map(({ status }) => status))).toBe(429);
  expect(await upload('bob')).toBe(200);
  for (const { request: last } of eleven) last.end('b');
  const statuses = await Promise.all(eleven.map(({ status }) => status));
  expect(statuses.filter((status) => status === 200)).toHaveLength(10);
  expect(await upload('alice')).toBe(200);
});
