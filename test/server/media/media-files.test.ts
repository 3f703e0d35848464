/** Files of the media store: on a full disk, and their permissions. */
import fs from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { png } from './images.ts';
import { download, sendContent, thumbnail, upload } from './uploads.ts';

let homeserver: TestHomeserver;
beforeAll(async () => {
  homeserver = await startHomeserver();
});
afterAll(() => homeserver.remove());

/** Returns all files in the media store. */
async function files(): Promise<string[]> {
  const entries = await readdir(homeserver.config.mediaStorePath, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

describe('a full disk', () => {
  const { write, writev } = fs;
  /** Makes further writes to media store files fail, as on a full disk. */
  function fillDisk(): void {
    const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    const refuse = (...values: unknown[]) => (values.at(-1) as (error: Error) => void)(full);
    fs.write = refuse as unknown as typeof fs.write;
    fs.writev = refuse as unknown as typeof fs.writev;
  }
  afterEach(() => {
    Object.assign(fs, { write, writev });
  });

  test('refuses uploads without leftovers, serves existing media, and recovers with space', async () => {
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

test('the media store is private to its owner', async () => {
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
