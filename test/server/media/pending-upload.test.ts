/** Uploads to a previously created media ID. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { manualClock } from '../../manual-clock.ts';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { connectTo, parseReply } from '../raw-connection.ts';
import { download, idOf, sendContent, upload } from './uploads.ts';

const day = 24 * 60 * 60 * 1000;
const clock = manualClock();

let homeserver: TestHomeserver;
beforeAll(async () => {
  homeserver = await startHomeserver({ clock, config: { maxUploadSize: 1000 } });
});
afterAll(() => homeserver.remove());

const create = (person: string) => homeserver.as(person).post('/_chat/media/v1/create');
const newAddress = async (person: string) => idOf((await create(person)).body.content_uri);
const fill = (person: string, mediaId: string, content = 'later', server = 'localhost') =>
  sendContent(homeserver, person, 'PUT', `/_matrix/media/v3/upload/${server}/${mediaId}`, content);

test('a media ID is reserved, filled once and then served', async () => {
  const { status, body } = await create('alice');
  expect({ status, body }).toEqual({
    status: 200,
    body: {
      content_uri: expect.stringMatching(/^mxc:\/\/localhost\/\w+$/),
      unused_expires_at: clock.now() + day,
    },
  });
  const mediaId = idOf(body.content_uri);
  expect(await fill('alice', mediaId)).toMatchObject({ status: 200, body: {} });
  const response = await download(homeserver, 'bob', mediaId);
  expect(response.headers.get('content-type')).toBe('text/plain');
  expect(await response.text()).toBe('later');
  expect(await fill('alice', mediaId, 'other')).toMatchObject({
    status: 409,
    body: { errcode: 'M_CANNOT_OVERWRITE_MEDIA' },
  });
  expect(await (await download(homeserver, 'bob', mediaId)).text()).toBe('later');
});

test('of concurrent uploads to a media ID one wins, and its content stays', async () => {
  const mediaId = await newAddress('alice');
  const contents = Array.from({ length: 8 }, (_, index) => `content ${index}`);
  const replies = await Promise.all(contents.map((content) => fill('alice', mediaId, content)));
  const winners = contents.filter((_, index) => replies[index]?.status === 200);
  expect(replies.map((reply) => reply.status).sort()).toEqual([200, ...Array(7).fill(409)]);
  expect(await (await download(homeserver, 'bob', mediaId)).text()).toBe(winners[0]);
});

const unfinished = () => readdir(join(homeserver.config.mediaStorePath, 'unfinished'));

/** Sends half of an upload to a media ID that then expires. */
async function expireHalfFilled(mediaId: string) {
  const connection = await connectTo(homeserver.url);
  const { accessToken } = homeserver.as('carol');
  await connection.write(
    `PUT /_matrix/media/v3/upload/localhost/${mediaId} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n` +
      `authorization: Bearer ${accessToken}\r\ncontent-type: text/plain\r\ncontent-length: 10\r\n\r\nlater`,
  );
  await expect.poll(async () => (await unfinished()).join()).toContain(mediaId);
  const { db } = homeserver.services;
  await db.updateTable('pending_media').set({ expires_ts: 0 }).where('media_id', '=', mediaId).execute();
  return connection;
}

test('a media ID that expires during its upload is waited for', async () => {
  const mediaId = await newAddress('carol');
  const { write, closed } = await expireHalfFilled(mediaId);
  const early = await download(homeserver, 'bob', mediaId, '?timeout_ms=0');
  expect(await early.json()).toMatchObject({ errcode: 'M_NOT_YET_UPLOADED' });
  const waiting = download(homeserver, 'bob', mediaId, '?timeout_ms=5000');
  await write('later');
  expect(parseReply(await closed).status).toBe(200);
  expect(await (await waiting).text()).toBe('laterlater');
});

test('a media ID that expires during its upload is unknown afterwards, not in use', async () => {
  const mediaId = await newAddress('carol');
  const { write, closed } = await expireHalfFilled(mediaId);
  // Creating the next one deletes expired ones.
  await newAddress('alice');
  await write('later');
  const { status, body } = parseReply(await closed);
  expect({ status, body: JSON.parse(body) }).toMatchObject({ status: 404, body: { errcode: 'M_NOT_FOUND' } });
  expect(await unfinished()).toEqual([]);
  expect((await download(homeserver, 'bob', mediaId)).status).toBe(404);
});

test('a download waits for the upload', async () => {
  const mediaId = await newAddress('alice');
  const waiting = download(homeserver, 'bob', mediaId, '?timeout_ms=5000');
  const filled = fill('alice', mediaId);
  let response: Response | undefined;
  waiting.then((arrived) => {
    response = arrived;
  });
  await filled;
  await expect
    .poll(() => {
      clock.advance(200);
      return response?.status;
    })
    .toBe(200);
  expect(await response?.text()).toBe('later');
});

test('a download reports if nothing was uploaded in time', async () => {
  const mediaId = await newAddress('bob');
  const response = await download(homeserver, 'alice', mediaId, '?timeout_ms=0');
  expect({ status: response.status, body: await response.json() }).toMatchObject({
    status: 504,
    body: { errcode: 'M_NOT_YET_UPLOADED' },
  });
});

test("an unauthenticated download doesn't wait", async () => {
  const mediaId = await newAddress('bob');
  const path = `/_chat/media/v3/download/localhost/${mediaId}?timeout_ms=60000`;
  expect(await homeserver.as('guest').get(path)).toMatchObject({
    status: 404,
    body: { errcode: 'M_NOT_FOUND' },
  });
});

test("waiting downloads don't delay the shutdown", async () => {
  const mediaId = await newAddress('bob');
  const waiting = download(homeserver, 'alice', mediaId, '?timeout_ms=60000');
  await homeserver.as('guest').get('/_chat/client/versions');
  await homeserver.restart();
  expect((await waiting.catch(() => undefined))?.status ?? 504).toBe(504);
});

describe('refuses', () => {
  test.each<[string, () => Promise<unknown>, number, string]>([
    ['a media ID anonymously', () => create('guest'), 401, 'M_MISSING_TOKEN'],
    ['an unknown address', () => fill('alice', 'nowhere'), 404, 'M_NOT_FOUND'],
    ['a way out', () => fill('alice', '..%2f..%2fsigning.key'), 404, 'M_NOT_FOUND'],
    ['another server', () => fill('alice', 'nowhere', 'x', 'elsewhere.org'), 404, 'M_NOT_FOUND'],
    ['an anonymous upload', () => fill('guest', 'nowhere'), 401, 'M_MISSING_TOKEN'],
    [
      'what was uploaded at once',
      async () => fill('alice', await upload(homeserver, 'alice', 'x')),
      409,
      'M_CANNOT_OVERWRITE_MEDIA',
    ],
    ["another user's media ID", async () => fill('bob', await newAddress('alice')), 403, 'M_FORBIDDEN'],
    ['too much', async () => fill('alice', await newAddress('alice'), 'x'.repeat(1001)), 413, 'M_TOO_LARGE'],
  ])('%s', async (_, send, status, errcode) => {
    expect(await send()).toMatchObject({ status, body: { errcode } });
  });

  test('more than five pending media IDs, until one expires or is filled', async () => {
    const addresses: string[] = [];
    for (let count = 0; count < 5; count++) {
      addresses.push(await newAddress('carol'));
      if (count === 0) clock.advance(1000);
    }
    expect(await create('carol')).toMatchObject({
      status: 429,
      body: { errcode: 'M_LIMIT_EXCEEDED', retry_after_ms: day - 1000 },
    });
    expect(await fill('carol', addresses[0] ?? '')).toMatchObject({ status: 200 });
    expect(await create('carol')).toMatchObject({ status: 200 });
    expect(await create('carol')).toMatchObject({ status: 429 });
    // Exactly when it expires.
    clock.advance(day);
    expect(await fill('carol', addresses[1] ?? '')).toMatchObject({ status: 404 });
    expect((await download(homeserver, 'bob', addresses[1] ?? '')).status).toBe(404);
    expect(await create('carol')).toMatchObject({ status: 200 });
  });

  test('more than five concurrent requests for media IDs', async () => {
    await homeserver.add('dora');
    const replies = await Promise.all(Array.from({ length: 20 }, () => create('dora')));
    const given = replies.filter(({ status }) => status === 200);
    expect(given).toHaveLength(5);
  });

  test("the path that doesn't exist in the reference", async () => {
    expect(await homeserver.as('alice').post('/_chat/media/v3/create')).toMatchObject({
      status: 404,
      body: { errcode: 'M_UNRECOGNIZED' },
    });
  });
});
