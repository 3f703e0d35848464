/** Media that are deleted while somebody is at them, a disk that is full, and what others see of the media store. */
import { once } from 'node:events';
import fs from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { get } from 'node:http';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { png, pngThatClaims } from './pictures.ts';
import { download, sendContent, thumbnail, upload } from './uploads.ts';

let homeserver: TestHomeserver;
beforeAll(async () => {
  homeserver = await startHomeserver();
});
afterAll(() => homeserver.remove());

/** Every file of the media store. */
async function files(): Promise<string[]> {
  const entries = await readdir(homeserver.config.mediaStorePath, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

const remove = (mediaId: string) =>
  homeserver.as('admin').delete(`/_service/admin/v1/media/localhost/${mediaId}`);

test('what is deleted while it is downloaded arrives as a whole, and is gone then', async () => {
  const before = await files();
  const size = 20_000_000;
  const mediaId = await upload(homeserver, 'alice', Buffer.alloc(size, 'x'));
  const asked = get(`${homeserver.url}/_chat/client/v1/media/download/localhost/${mediaId}`, {
    agent: false,
    headers: { authorization: `Bearer ${homeserver.as('bob').accessToken}` },
  });
  const [response] = await once(asked, 'response');
  expect((await remove(mediaId)).status).toBe(200);
  let received = 0;
  for await (const chunk of response) received += chunk.length;
  expect(received).toBe(size);
  expect((await download(homeserver, 'bob', mediaId)).status).toBe(404);
  expect(await files()).toEqual(before);
});

test('what is deleted while its thumbnails are made, or wait to be, leaves none', async () => {
  const before = await files();
  const [width, height] = [4_000, 3_000];
  const picture = pngThatClaims(width, height, Buffer.alloc((1 + width * 3) * height));
  const made = await upload(homeserver, 'alice', picture, 'image/png');
  const waiting = await upload(homeserver, 'alice', picture, 'image/png');
  const replies = [made, waiting].map((mediaId) =>
    thumbnail(homeserver, 'bob', mediaId, 'width=32&height=32&method=crop'),
  );
  await homeserver.as('bob').get('/_chat/client/v3/account/whoami');
  for (const mediaId of [made, waiting]) expect((await remove(mediaId)).status).toBe(200);
  expect((await Promise.all(replies)).map(({ status }) => status)).toEqual([404, 404]);
  expect(await files()).toEqual(before);
});

describe('a full disk', () => {
  const { write, writev } = fs;
  /** From now on nothing more can be written to a file of the media store; what it is about is where that is tried. */
  function fillDisk(): void {
    const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    const refuse = (...values: unknown[]) => (values.at(-1) as (error: Error) => void)(full);
    fs.write = refuse as unknown as typeof fs.write;
    fs.writev = refuse as unknown as typeof fs.writev;
  }
  afterEach(() => {
    Object.assign(fs, { write, writev });
  });

  test('refuses uploads and keeps nothing of them; what is there stays to be had, and room helps', async () => {
    const mediaId = await upload(homeserver, 'alice', 'there before');
    const before = await files();
    fillDisk();
    const path = '/_chat/media/v3/upload';
    const refused = await sendContent(homeserver, 'alice', 'POST', path, 'x'.repeat(100_000));
    expect(refused).toMatchObject({ status: 507, body: { errcode: 'M_RESOURCE_LIMIT_EXCEEDED' } });
    expect(await (await download(homeserver, 'bob', mediaId)).text()).toBe('there before');
    expect(await files()).toEqual(before);
    Object.assign(fs, { write, writev });
    expect(await sendContent(homeserver, 'alice', 'POST', path, 'there after')).toMatchObject({
      status: 200,
    });
  });
});

test('nobody else on the machine can look into the media store', async () => {
  const mediaId = await upload(homeserver, 'alice', png(40, 40), 'image/png');
  await thumbnail(homeserver, 'bob', mediaId, 'width=32&height=32&method=crop');
  const { mediaStorePath } = homeserver.config;
  const modeOf = async (...path: string[]) => (await stat(join(mediaStorePath, ...path))).mode & 0o777;
  const spread = [mediaId.slice(0, 2), mediaId.slice(2, 4), mediaId.slice(4)];
  expect(await modeOf()).toBe(0o700);
  expect(await modeOf('thumbnails')).toBe(0o700);
  expect(await modeOf(...spread)).toBe(0o600);
  expect(await modeOf('thumbnails', ...spread, '32x32-crop')).toBe(0o600);
});
