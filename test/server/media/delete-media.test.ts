/** Deleting media: a single item, also while it's in use, and all that weren't accessed recently. */
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { get } from 'node:http';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { thumbnailFolder } from '../../../server/identity/media/media-files.ts';
import { manualClock } from '../../manual-clock.ts';
import { isMatrix } from '../../matrix.ts';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { makeRoom, setState } from '../rooms/client.ts';
import { png, pngThatClaims } from './images.ts';
import { download, thumbnail, upload } from './uploads.ts';

const media = '/_service/admin/v1/media';
const minute = 60_000;
const clock = manualClock();

let homeserver: TestHomeserver;
beforeAll(async () => {
  homeserver = await startHomeserver({ clock });
});
afterAll(() => homeserver.remove());

const admin = () => homeserver.as('admin');
const remove = (mediaId: string) => admin().delete(`${media}/localhost/${mediaId}`);

/** Returns all files in the media store. */
async function files(): Promise<string[]> {
  const entries = await readdir(homeserver.config.mediaStorePath, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

test('deleted media is removed from the disk with its thumbnails', async () => {
  const before = (await files()).length;
  const mediaId = await upload(homeserver, 'alice', png(64, 64), 'image/png');
  await thumbnail(homeserver, 'bob', mediaId, 'width=1&height=1&method=crop');
  // The file and a thumbnail of every size.
  expect((await files()).length).toBe(before + 6);
  expect(await remove(mediaId)).toMatchObject({
    status: 200,
    body: { deleted_media: [mediaId], total: 1 },
  });
  expect((await files()).length).toBe(before);
  expect((await download(homeserver, 'bob', mediaId)).status).toBe(404);
  expect((await remove(mediaId)).status).toBe(404);
});

test('media deleted while its thumbnails are stored takes them along, without errors', async () => {
  const before = (await files()).sort();
  for (let round = 0; round < 20; round += isMatrix ? 1 : 4) {
    const mediaId = await upload(homeserver, 'alice', png(64 + round, 64), 'image/png');
    const asked = thumbnail(homeserver, 'bob', mediaId, 'width=1&height=1&method=crop');
    const folder = thumbnailFolder(homeserver.config.mediaStorePath, mediaId);
    while (!existsSync(folder)) await nextTurn();
    for (let turn = 0; turn < round; turn++) await nextTurn();
    expect(await remove(mediaId)).toMatchObject({ status: 200 });
    expect([200, 404]).toContain((await asked).status);
    expect(existsSync(folder)).toBe(false);
  }
  expect((await files()).sort()).toEqual(before);
});

test('a deletion interrupted by a crash completes at the next start', async () => {
  const mediaId = await upload(homeserver, 'alice', 'half deleted');
  const before = (await files()).length;
  const { db } = homeserver.services;
  await db.deleteFrom('media').where('media_id', '=', mediaId).execute();
  await db.insertInto('deleted_media').values({ media_id: mediaId }).execute();
  await homeserver.restart();
  expect((await files()).length).toBe(before - 1);
});

test('media deleted during a download arrives completely and is gone afterwards', async () => {
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

test('media deleted while thumbnails are generated or queued leaves none', async () => {
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

describe('deleting unused media', () => {
  const removeUnused = async (query: string) =>
    (await admin().post(`${media}/delete?${query}`)).body as { deleted_media: string[]; total: number };

  beforeEach(async () => {
    clock.advance(1);
    await removeUnused(`before_ts=${clock.now()}&keep_profiles=false`);
  });

  test('selects by last access, else upload time, and by size', async () => {
    const never = await upload(homeserver, 'alice', 'never fetched');
    const small = await upload(homeserver, 'alice', 'small');
    const fetched = await upload(homeserver, 'alice', 'fetched later');
    clock.advance(minute);
    const between = clock.now();
    clock.advance(minute);
    await download(homeserver, 'bob', fetched);
    const late = await upload(homeserver, 'alice', 'uploaded later');

    expect(await removeUnused(`before_ts=${between - minute}`)).toEqual({ deleted_media: [], total: 0 });
    expect(await removeUnused(`before_ts=${between}&size_gt=5`)).toEqual({
      deleted_media: [never],
      total: 1,
    });
    expect(await removeUnused(`before_ts=${between}`)).toEqual({ deleted_media: [small], total: 1 });
    clock.advance(1);
    const rest = await removeUnused(`before_ts=${clock.now()}&size_gt=13`);
    expect(rest).toEqual({ deleted_media: [late], total: 1 });
    expect(await removeUnused(`before_ts=${clock.now()}`)).toEqual({ deleted_media: [fetched], total: 1 });
  });

  test('keeps avatars of users and rooms by default', async () => {
    const ofUser = await upload(homeserver, 'alice', 'my face');
    const ofRoom = await upload(homeserver, 'alice', 'our room');
    const formerly = await upload(homeserver, 'alice', 'our old room');
    const banner = await upload(homeserver, 'alice', 'our banner');
    const { db } = homeserver.services;
    await db
      .updateTable('users')
      .set({ avatar_url: `mxc://localhost/${ofUser}` })
      .where('user_id', '=', '@alice:localhost')
      .execute();
    const roomId = await makeRoom(homeserver.as('alice'));
    for (const mediaId of [formerly, ofRoom]) {
      await setState(homeserver.as('alice'), roomId, 'm.room.avatar', { url: `mxc://localhost/${mediaId}` });
    }
    await setState(homeserver.as('alice'), roomId, 'org.example.banner', {
      url: `mxc://localhost/${banner}`,
    });
    // Other media with the same ID, of another server.
    const other = await makeRoom(homeserver.as('alice'));
    await setState(homeserver.as('alice'), other, 'm.room.avatar', { url: `mxc://example.org/${formerly}` });
    clock.advance(1);
    const { deleted_media } = await removeUnused(`before_ts=${clock.now()}`);
    expect(deleted_media.sort()).toEqual([formerly, banner].sort());
    expect((await removeUnused(`before_ts=${clock.now()}`)).deleted_media).toEqual([]);
    const all = await removeUnused(`before_ts=${clock.now()}&keep_profiles=false`);
    expect(all.deleted_media.sort()).toEqual([ofUser, ofRoom].sort());
  });

  test('keeps quarantined and protected media', async () => {
    const [quarantined, kept, rest] = await Promise.all(
      ['evidence', 'the emblem', 'the rest'].map((content) => upload(homeserver, 'carol', content)),
    );
    await admin().post(`${media}/quarantine/localhost/${quarantined}`, {});
    await admin().post(`${media}/protect/${kept}`, {});
    clock.advance(1);
    const query = `before_ts=${clock.now()}&keep_profiles=false`;
    expect((await removeUnused(query)).deleted_media).toEqual([rest]);
    await admin().post(`${media}/unquarantine/localhost/${quarantined}`, {});
    await admin().post(`${media}/unprotect/${kept}`, {});
    expect((await removeUnused(query)).deleted_media.sort()).toEqual([quarantined, kept].sort());
  });

  test('handles several batches with kept media among them', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 230; count++) ids.push(await upload(homeserver, 'bob', `number ${count}`));
    for (const index of [3, 99, 100, 200]) await download(homeserver, 'carol', ids[index] ?? '');
    const { db } = homeserver.services;
    await db
      .updateTable('users')
      .set({ avatar_url: `mxc://localhost/${ids[150]}` })
      .where('user_id', '=', '@bob:localhost')
      .execute();
    clock.advance(1);
    const { deleted_media, total } = await removeUnused(`before_ts=${clock.now()}`);
    expect(total).toBe(229);
    expect(deleted_media.toSorted()).toEqual(ids.filter((_, index) => index !== 150).sort());
  });
});
