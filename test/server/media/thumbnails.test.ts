import { readdir } from 'node:fs/promises';
import { deflateSync } from 'node:zlib';
import { PhotonImage } from '@cf-wasm/photon';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readImageHeader } from '../../../server/identity/media/image-header.ts';
import { thumbnailFolder } from '../../../server/identity/media/media-files.ts';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';
import {
  gif,
  gifWithHugeFrame,
  jpeg,
  png,
  pngChunk,
  pngThatClaims,
  webp,
  webpWithHugeFrame,
  withOrientation,
} from './images.ts';
import { thumbnail, upload } from './uploads.ts';

let homeserver: TestHomeserver;
beforeAll(async () => {
  homeserver = await startHomeserver({ config: { maxImagePixels: 1_000_000 } });
});
afterAll(() => homeserver.remove());

/** Decodes the image in a reply. */
async function pictureIn(response: Response) {
  const bytes = Buffer.from(await response.arrayBuffer());
  const { format, width, height } = readImageHeader(bytes) ?? {};
  return { status: response.status, type: response.headers.get('content-type'), format, width, height };
}

/** Returns the file names of an upload's thumbnails. */
const thumbnailsOf = (mediaId: string) =>
  readdir(thumbnailFolder(homeserver.config.mediaStorePath, mediaId)).catch(() => []);

describe('an image of 900 × 600', () => {
  // The client's content type is ignored.
  const uploadPicture = () => upload(homeserver, 'alice', png(900, 600), 'text/html');
  let mediaId: string;
  beforeAll(async () => {
    mediaId = await uploadPicture();
  });

  const sizes: [query: string, width: number, height: number][] = [
    ['width=10&height=10', 320, 213],
    ['width=320&height=240', 320, 213],
    ['width=321&height=241&method=scale', 640, 427],
    ['width=641&height=481', 800, 533],
    ['width=0&height=0', 320, 213],
    ['width=999999999&height=999999999', 800, 533],
    ['width=10&height=10&method=crop', 32, 32],
    ['width=33&height=5&method=crop', 96, 96],
    ['width=900&height=600&method=crop', 96, 96],
    ['width=10&height=10&animated=true', 320, 213],
  ];

  test.each(sizes)('is served for %s as %i × %i', async (query, width, height) => {
    const response = await thumbnail(homeserver, 'bob', mediaId, query);
    expect(response.headers.get('content-security-policy')).toMatch(/^sandbox; default-src 'none'/);
    expect(response.headers.get('content-disposition')).toBe('inline');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(await pictureIn(response)).toEqual({
      status: 200,
      type: 'image/png',
      format: 'png',
      width,
      height,
    });
  });

  test('has at most five thumbnails, keeps them over a restart, and loses them with it', async () => {
    const own = await uploadPicture();
    for (const [query] of sizes) expect((await thumbnail(homeserver, 'bob', own, query)).status).toBe(200);
    expect((await thumbnailsOf(own)).sort()).toEqual([
      '320x240-scale',
      '32x32-crop',
      '640x480-scale',
      '800x600-scale',
      '96x96-crop',
    ]);
    await homeserver.restart();
    expect((await thumbnail(homeserver, 'bob', own, 'width=1&height=1')).status).toBe(200);
    await homeserver.as('admin').delete(`/_service/admin/v1/media/localhost/${own}`);
    expect((await thumbnail(homeserver, 'bob', own, 'width=1&height=1')).status).toBe(404);
    expect(await thumbnailsOf(own)).toEqual([]);
  });

  test.each([
    ['no width', 'height=1', 400, 'M_MISSING_PARAM'],
    ['no height', 'width=1', 400, 'M_MISSING_PARAM'],
    ['a negative size', 'width=-1&height=1', 400, 'M_INVALID_PARAM'],
    ['no number', 'width=wide&height=1', 400, 'M_INVALID_PARAM'],
    ['an unknown method', 'width=1&height=1&method=stretch', 400, 'M_INVALID_PARAM'],
    ['a maybe', 'width=1&height=1&animated=maybe', 400, 'M_INVALID_PARAM'],
  ])('is refused with %s', async (_, query, status, errcode) => {
    const response = await thumbnail(homeserver, 'bob', mediaId, query);
    expect({ status: response.status, body: await response.json() }).toMatchObject({
      status,
      body: { errcode },
    });
  });
});

describe('every image format', () => {
  test.each([
    ['JPEG', jpeg(640, 480), 'image/jpeg', 320, 240],
    ['opaque WebP', webp(640, 480), 'image/jpeg', 320, 240],
    ['transparent WebP', webp(640, 480, 100), 'image/png', 320, 240],
    ['GIF, which is not enlarged', gif, 'image/png', 1, 1],
    ['thin one', png(2, 5000), 'image/png', 1, 240],
    ['JPEG that was held upright', withOrientation(jpeg(640, 480), 6), 'image/jpeg', 180, 240],
  ])('%s', async (_, picture, type, width, height) => {
    const mediaId = await upload(homeserver, 'alice', picture);
    const response = await thumbnail(homeserver, 'bob', mediaId, 'width=320&height=240');
    expect(await pictureIn(response)).toMatchObject({ status: 200, type, width, height });
  });

  test.each([
    [1, 'red', 'left'],
    [2, 'red', 'right'],
    [3, 'red', 'right'],
    [4, 'red', 'left'],
    [5, 'red', 'top'],
    [6, 'red', 'top'],
    [7, 'red', 'bottom'],
    [8, 'red', 'bottom'],
  ] as const)('orientation %i has %s at the %s', async (orientation, _, side) => {
    const mediaId = await upload(homeserver, 'alice', withOrientation(jpeg(64, 64), orientation));
    const response = await thumbnail(homeserver, 'bob', mediaId, 'width=32&height=32&method=crop');
    const picture = PhotonImage.new_from_byteslice(new Uint8Array(await response.arrayBuffer()));
    const pixels = picture.get_raw_pixels();
    const [x, y] = { left: [4, 16], right: [28, 16], top: [16, 4], bottom: [16, 28] }[side] as [
      number,
      number,
    ];
    const [red = 0, , blue = 0] = pixels.subarray((y * 32 + x) * 4);
    expect(red - blue).toBeGreaterThan(150);
  });

  test('a crop shows the middle', async () => {
    const mediaId = await upload(homeserver, 'alice', jpeg(400, 100));
    const response = await thumbnail(homeserver, 'bob', mediaId, 'width=32&height=32&method=crop');
    const pixels = PhotonImage.new_from_byteslice(
      new Uint8Array(await response.arrayBuffer()),
    ).get_raw_pixels();
    const at = (x: number) => [...pixels.subarray((16 * 32 + x) * 4, (16 * 32 + x) * 4 + 3)];
    expect(at(2)[0]).toBeGreaterThan(200);
    expect(at(29)[2]).toBeGreaterThan(200);
  });
});

test('concurrent requests for the same thumbnail get the same', async () => {
  const mediaId = await upload(homeserver, 'alice', png(500, 500));
  const replies = await Promise.all(
    Array.from({ length: 20 }, () => thumbnail(homeserver, 'bob', mediaId, 'width=96&height=96&method=crop')),
  );
  const bodies = await Promise.all(replies.map(async (reply) => Buffer.from(await reply.arrayBuffer())));
  expect(bodies.every((body) => body.length > 0 && body.equals(bodies[0] as Buffer))).toBe(true);
});

describe('hostile content gets no thumbnail and does no harm', () => {
  const zeros = deflateSync(Buffer.alloc(200_000_000), { level: 1 });
  test.each<[string, Buffer]>([
    ['nothing', Buffer.alloc(0)],
    ['text', Buffer.from('hello')],
    ['a page declared as an image', Buffer.from('<svg onload="alert(1)"/>')],
    ['a PNG that claims 10 billion pixels', pngThatClaims(100_000, 100_000, Buffer.alloc(100))],
    ['a PNG that claims one pixel more than allowed', pngThatClaims(1_000_001, 1, Buffer.alloc(100))],
    ['a PNG with much less than it claims', pngThatClaims(1000, 1000, Buffer.alloc(100))],
    [
      'a PNG with a colour profile that unpacks to 200 MB',
      pngThatClaims(8, 8, Buffer.alloc(10), pngChunk('iCCP', Buffer.concat([Buffer.from('x\0\0'), zeros]))),
    ],
    ['a GIF with a huge frame', gifWithHugeFrame()],
    ['a WebP with a huge frame', webpWithHugeFrame()],
    ['half a JPEG header', jpeg(64, 64).subarray(0, 200)],
  ])('%s', async (_, content) => {
    const mediaId = await upload(homeserver, 'alice', content, 'image/png');
    const ask = () => thumbnail(homeserver, 'bob', mediaId, 'width=96&height=96&method=crop');
    const first = await ask();
    expect({ status: first.status, body: await first.json() }).toMatchObject({
      status: 400,
      body: { errcode: 'M_UNKNOWN' },
    });
    expect((await ask()).status).toBe(400);
    expect((await homeserver.as('guest').get('/_chat/client/versions')).status).toBe(200);
  });
});
