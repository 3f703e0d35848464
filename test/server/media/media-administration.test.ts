import { readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { manualClock } from '../../manual-clock.ts';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { makeRoom, path, redact, setState } from '../rooms/client.ts';
import { download, idOf, sendContent, upload } from './uploads.ts';

const media = '/_service/admin/v1/media';
const minute = 60_000;
const clock = manualClock();

let homeserver: TestHomeserver;
beforeAll(async () => {
  homeserver = await startHomeserver({ clock });
});
afterAll(() => homeserver.remove());

const admin = () => homeserver.as('admin');

describe.each([
  ['vendor', '/_service/admin/v1'],
  ['matrix', '/_synapse/admin/v1'],
])('in the %s dialect', (_, prefix) => {
  const long = Date.UTC(2020, 0, 1);
  test.each<[string, string, 'get' | 'post' | 'delete', string, number, string]>([
    ['details anonymously', 'guest', 'get', '/media/localhost/x', 401, 'M_MISSING_TOKEN'],
    ['details for a user', 'alice', 'get', '/media/localhost/x', 403, 'M_FORBIDDEN'],
    ['details of missing media', 'admin', 'get', '/media/localhost/x', 404, 'M_NOT_FOUND'],
    ['details from elsewhere', 'admin', 'get', '/media/elsewhere.org/x', 404, 'M_NOT_FOUND'],
    ['details of NUL', 'admin', 'get', '/media/localhost/%00', 404, 'M_NOT_FOUND'],
    ['deletion by a user', 'alice', 'delete', '/media/localhost/x', 403, 'M_FORBIDDEN'],
    ['deletion of missing media', 'admin', 'delete', '/media/localhost/x', 404, 'M_NOT_FOUND'],
    ['deletion elsewhere', 'admin', 'delete', '/media/elsewhere.org/x', 400, 'M_UNKNOWN'],
    ['deletions by a user', 'alice', 'post', `/media/delete?before_ts=${long}`, 403, 'M_FORBIDDEN'],
    ['deletions without a time', 'admin', 'post', '/media/delete', 400, 'M_MISSING_PARAM'],
    ['deletions before time', 'admin', 'post', '/media/delete?before_ts=-1', 400, 'M_INVALID_PARAM'],
    ['deletions by seconds', 'admin', 'post', '/media/delete?before_ts=1767225600', 400, 'M_INVALID_PARAM'],
    [
      'deletions of negative size',
      'admin',
      'post',
      `/media/delete?before_ts=${long}&size_gt=-1`,
      400,
      'M_INVALID_PARAM',
    ],
    [
      'deletions that keep a maybe',
      'admin',
      'post',
      `/media/delete?before_ts=${long}&keep_profiles=maybe`,
      400,
      'M_INVALID_PARAM',
    ],
    [
      'deletions elsewhere',
      'admin',
      'post',
      `/media/elsewhere.org/delete?before_ts=${long}`,
      400,
      'M_UNKNOWN',
    ],
    ['purging without a time', 'admin', 'post', '/purge_media_cache', 400, 'M_MISSING_PARAM'],
    ['a room’s media for a user', 'alice', 'get', '/room/!x:localhost/media', 403, 'M_FORBIDDEN'],
  ])('refuses %s', async (_, caller, method, url, status, errcode) => {
    const reply = await homeserver.as(caller)[method](prefix + url);
    expect(reply).toMatchObject({ status, body: { errcode, error: expect.any(String) } });
  });

  test.each([
    ['/media/delete', { deleted_media: [], total: 0 }],
    ['/media/localhost/delete', { deleted_media: [], total: 0 }],
    ['/purge_media_cache', { deleted: 0 }],
  ])('%s of missing media does nothing', async (url, body) => {
    const reply = await admin().post(`${prefix}${url}?before_ts=${long}`);
    expect(reply).toMatchObject({ status: 200, body });
  });
});

test('details have every field', async () => {
  const mediaId = await upload(homeserver, 'alice', 'hello', 'text/plain', '?filename=a.txt');
  const details = {
    media_origin: null,
    user_id: '@alice:localhost',
    media_id: mediaId,
    media_type: 'text/plain',
    media_length: 5,
    upload_name: 'a.txt',
    created_ts: clock.now(),
    filesystem_id: null,
    url_cache: null,
    last_access_ts: null,
    quarantined_by: null,
    authenticated: true,
    safe_from_quarantine: false,
    sha256: '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824',
  };
  const read = async () => (await admin().get(`${media}/localhost/${mediaId}`)).body;
  expect(await read()).toEqual({ media_info: details });
  clock.advance(minute);
  await download(homeserver, 'bob', mediaId);
  expect(await read()).toEqual({ media_info: { ...details, last_access_ts: clock.now() } });
});

test('leftovers of an upload whose process died are deleted a day later', async () => {
  const folder = join(homeserver.config.mediaStorePath, 'unfinished');
  await writeFile(join(folder, 'old'), 'half');
  await writeFile(join(folder, 'new'), 'half');
  const seconds = clock.now() / 1000;
  await utimes(join(folder, 'old'), seconds, seconds - 25 * 60 * 60);
  await utimes(join(folder, 'new'), seconds, seconds - 23 * 60 * 60);
  await homeserver.restart();
  expect(await readdir(folder)).toEqual(['new']);
});

describe('a room’s media', () => {
  const list = async (roomId: string) =>
    (await admin().get(`/_service/admin/v1/room/${encodeURIComponent(roomId)}/media`)).body;
  let transactions = 0;
  const send = (roomId: string, content: object) =>
    homeserver
      .as('alice')
      .put(path('rooms', roomId, 'send', 'm.room.message', `m${transactions++}`), content);

  test('is the media in its events', async () => {
    const roomId = await makeRoom(homeserver.as('alice'));
    expect(await list(roomId)).toEqual({ local: [], remote: [] });
    const body = { msgtype: 'm.image', body: 'x' };
    const shown = { ...body, url: 'mxc://localhost/a', info: { thumbnail_url: 'mxc://elsewhere.org/b' } };
    const { body: sent } = await send(roomId, shown);
    await send(roomId, shown);
    await send(roomId, {
      ...body,
      file: { url: 'mxc://localhost/c' },
      info: { thumbnail_file: { url: 'mxc://localhost:8448/d' } },
    });
    await setState(homeserver.as('alice'), roomId, 'm.room.avatar', { url: 'mxc://localhost/e' });
    // None of these is a media URI, or the event doesn't show it.
    for (const url of [
      'https://localhost/x',
      'mxc://localhost',
      'mxc://localhost/',
      'mxc:///x',
      'mxc://a/b/c',
      7,
    ]) {
      expect((await send(roomId, { ...body, url })).status).toBe(200);
    }
    for (const info of [null, 'mxc://localhost/x', [{ url: 'mxc://localhost/x' }]]) {
      expect(
        (await send(roomId, { ...body, info, file: null, deep: { url: 'mxc://localhost/x' } })).status,
      ).toBe(200);
    }
    const all = {
      local: ['mxc://localhost/a', 'mxc://localhost/c', 'mxc://localhost/e'],
      remote: ['mxc://elsewhere.org/b', 'mxc://localhost:8448/d'],
    };
    expect(await list(roomId)).toEqual(all);
    // Media of redacted events are still listed.
    await redact(homeserver.as('alice'), roomId, sent.event_id);
    expect(await list(roomId)).toEqual(all);
    expect(await list('!nowhere:localhost')).toEqual({ local: [], remote: [] });
  });

  test('is deleted with the room', async () => {
    const roomId = await makeRoom(homeserver.as('alice'));
    await send(roomId, { msgtype: 'm.image', body: 'x', url: 'mxc://localhost/a' });
    const { body } = await admin().delete(`/_service/admin/v2/rooms/${encodeURIComponent(roomId)}`, {
      purge: true,
      force_purge: true,
    });
    await expect
      .poll(async () => {
        clock.advance(2000);
        return (await admin().get(`/_service/admin/v2/rooms/delete_status/${body.delete_id}`)).body.status;
      })
      .toBe('complete');
    expect(await list(roomId)).toEqual({ local: [], remote: [] });
  });
});

test('a reserved media ID has no details before its upload', async () => {
  const { body } = await homeserver.as('alice').post('/_chat/media/v1/create');
  const mediaId = idOf(body.content_uri);
  expect((await admin().get(`${media}/localhost/${mediaId}`)).status).toBe(404);
  await sendContent(homeserver, 'alice', 'PUT', `/_chat/media/v3/upload/localhost/${mediaId}`, 'now');
  expect(await admin().get(`${media}/localhost/${mediaId}`)).toMatchObject({
    body: { media_info: { media_length: 3 } },
  });
});
