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
  const ten = Array.from({ length: 10 }, () => begin('alice'));
  await expect.poll(() => upload('alice')).toBe(429);
  expect(await upload('bob')).toBe(200);
  for (const { request: last } of ten) last.end('b');
  for (const { status } of ten) expect(await status).toBe(200);
  expect(await upload('alice')).toBe(200);
});
