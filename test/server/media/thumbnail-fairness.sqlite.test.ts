/** One user's large images delay other users only briefly and take bounded memory. */
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { isMatrix } from '../../matrix.ts';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { png, pngThatClaims } from './images.ts';
import { thumbnail, upload } from './uploads.ts';

/** Returns a black image: quick to create, and decoded like any other. */
const black = (width: number, height: number) =>
  pngThatClaims(width, height, Buffer.alloc((1 + width * 3) * height));

/** Five megapixels, above the limit for small images. */
let large: Buffer;
beforeAll(() => {
  large = black(2_600, 2_000);
});

let homeserver: TestHomeserver;
beforeEach(async () => {
  homeserver = await startHomeserver();
});
afterEach(() => homeserver.remove());

const sizes = ['32x32-crop', '320x240-scale', '640x480-scale', '800x600-scale'].map((name) => {
  const [, width, height, method] = /(\d+)x(\d+)-(\w+)/.exec(name) ?? [];
  return `width=${width}&height=${height}&method=${method}`;
});

const uploadMany = (person: string, picture: Buffer, count: number) =>
  Promise.all(Array.from({ length: count }, () => upload(homeserver, person, picture, 'image/png')));

/** Returns the names of the thumbnails on disk. */
async function made(): Promise<string[]> {
  const folder = join(homeserver.config.mediaStorePath, 'thumbnails');
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
}

test('many requests for large images delay no other user', async () => {
  const pictures = await uploadMany('alice', large, isMatrix ? 6 : 4);
  const [bobsLarge = ''] = await uploadMany('bob', large, 1);
  const bobsSmall = await upload(homeserver, 'bob', png(200, 200), 'image/png');

  const answered = new Set<string>();
  const flood = pictures.flatMap((mediaId) =>
    sizes.map(async (size) => {
      const { status } = await thumbnail(homeserver, 'alice', mediaId, size);
      answered.add(mediaId);
      return status;
    }),
  );
  // The flood's admitted requests are ahead of these.
  await homeserver.as('bob').get('/_chat/client/v3/account/whoami');
  const ask = async (mediaId: string) => {
    const { status } = await thumbnail(homeserver, 'bob', mediaId, 'width=96&height=96&method=crop');
    return { status, served: answered.size };
  };
  const [small, other] = await Promise.all([ask(bobsSmall), ask(bobsLarge)]);
  expect(small.status).toBe(200);
  expect(small.served).toBeLessThanOrEqual(1);
  expect(other.status).toBe(200);
  expect(other.served).toBeLessThanOrEqual(2);

  expect(await Promise.all(flood)).toEqual(flood.map(() => 200));
}, 180_000);

test.runIf(isMatrix)(
  'concurrent requests for the largest images take bounded memory',
  async () => {
    const pictures = await uploadMany('alice', black(6_500, 4_770), 3);
    const before = process.memoryUsage.rss();
    let peak = before;
    const sampling = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage.rss());
    }, 20);
    await Promise.all(
      pictures.map((mediaId) => thumbnail(homeserver, 'alice', mediaId, 'width=96&height=96&method=crop')),
    );
    clearInterval(sampling);
    expect((peak - before) / 1e6).toBeLessThan(700);
  },
  180_000,
);

test('one decoding gives all sizes of an image', async () => {
  const mediaId = await upload(homeserver, 'alice', png(900, 600), 'image/png');
  expect((await thumbnail(homeserver, 'bob', mediaId, 'width=96&height=96&method=crop')).status).toBe(200);
  expect((await made()).sort()).toEqual([
    '320x240-scale',
    '32x32-crop',
    '640x480-scale',
    '800x600-scale',
    '96x96-crop',
  ]);
});

test('closed requests leave the queue', async () => {
  const pictures = await uploadMany('alice', large, isMatrix ? 6 : 4);
  const [huge = ''] = await uploadMany('bob', black(6_500, 4_770), 1);
  // Decoding it takes until Alice has sent her requests and disconnected.
  const crop = 'width=96&height=96&method=crop';
  const before = thumbnail(homeserver, 'bob', huge, crop);
  await homeserver.as('bob').get('/_chat/client/v3/account/whoami');
  const headers = { authorization: `Bearer ${homeserver.as('alice').accessToken}` };
  const leaving = pictures.map((mediaId) => {
    const path = `/_chat/client/v1/media/thumbnail/localhost/${mediaId}?${crop}`;
    const asked = request(homeserver.url + path, { headers, agent: false });
    return {
      asked,
      sent: once(asked.end(), 'finish'),
      gone: once(
        asked.on('error', () => {}),
        'close',
      ),
    };
  });
  await Promise.all(leaving.map(({ sent }) => sent));
  await homeserver.as('alice').get('/_chat/client/v3/account/whoami');
  for (const { asked } of leaving) asked.destroy();
  await Promise.allSettled(leaving.map(({ gone }) => gone));
  expect((await before).status).toBe(200);
  // Alice's next image runs after her other queued ones.
  const [last = ''] = await uploadMany('alice', large, 1);
  expect((await thumbnail(homeserver, 'alice', last, crop)).status).toBe(200);
  // Bob's and the last one. One or two others may have run before she disconnected.
  const crops = (await made()).filter((name) => name === '96x96-crop');
  expect(crops.length).toBeGreaterThanOrEqual(2);
  expect(crops.length).toBeLessThanOrEqual(4);
}, 180_000);
