import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { makeRoom, path } from '../rooms/client.ts';
import { png } from './images.ts';
import { download, fetchContent, thumbnail, upload } from './uploads.ts';

const media = '/_service/admin/v1/media';

let homeserver: TestHomeserver;
beforeAll(async () => {
  homeserver = await startHomeserver();
});
afterAll(() => homeserver.remove());

const admin = () => homeserver.as('admin');
const details = async (mediaId: string) =>
  (await admin().get(`${media}/localhost/${mediaId}`)).body.media_info;
const quarantinedBy = async (mediaId: string) => (await details(mediaId)).quarantined_by;
const statusFor = async (mediaId: string, person = 'bob') =>
  (await download(homeserver, person, mediaId)).status;

let contents = 0;
/** Uploads new content. */
const uploadNew = (person: string) => upload(homeserver, person, `content ${contents++}`);

describe.each([
  ['vendor', '/_service/admin/v1'],
  ['matrix', '/_synapse/admin/v1'],
])('in the %s dialect', (_, prefix) => {
  test.each<[string, 'get' | 'post']>([
    ['/media/quarantine/localhost/x', 'post'],
    ['/media/unquarantine/localhost/x', 'post'],
    ['/room/!x:localhost/media/quarantine', 'post'],
    ['/quarantine_media/!x:localhost', 'post'],
    ['/user/@alice:localhost/media/quarantine', 'post'],
    ['/media/protect/x', 'post'],
    ['/media/unprotect/x', 'post'],
    ['/media/quarantine_changes', 'get'],
  ])('%s is for admins', async (url, method) => {
    expect(await homeserver.as('guest')[method](prefix + url)).toMatchObject({ status: 401 });
    expect(await homeserver.as('alice')[method](prefix + url)).toMatchObject({ status: 403 });
  });

  test.each<[string, 'get' | 'post', number, object]>([
    ['/media/quarantine/localhost/nothing', 'post', 200, {}],
    ['/media/quarantine/elsewhere.org/nothing', 'post', 200, {}],
    ['/media/quarantine/localhost/%00', 'post', 200, {}],
    ['/media/unquarantine/localhost/nothing', 'post', 200, {}],
    ['/room/!nowhere:localhost/media/quarantine', 'post', 200, { num_quarantined: 0 }],
    ['/quarantine_media/!nowhere:localhost', 'post', 200, { num_quarantined: 0 }],
    ['/user/@nobody:localhost/media/quarantine', 'post', 200, { num_quarantined: 0 }],
    ['/media/protect/nothing', 'post', 404, { errcode: 'M_NOT_FOUND' }],
    ['/media/unprotect/nothing', 'post', 404, { errcode: 'M_NOT_FOUND' }],
    ['/media/quarantine_changes?from=-1', 'get', 400, { errcode: 'M_INVALID_PARAM' }],
    ['/media/quarantine_changes?from=999999', 'get', 200, { next_batch: 999999, changes: [] }],
  ])('%s', async (url, method, status, body) => {
    expect(await admin()[method](prefix + url)).toMatchObject({ status, body });
  });
});

test("users don't find quarantined media until it is released", async () => {
  const mediaId = await upload(homeserver, 'alice', png(50, 50), 'image/png');
  expect((await thumbnail(homeserver, 'bob', mediaId, 'width=1&height=1')).status).toBe(200);
  expect(await admin().post(`${media}/quarantine/localhost/${mediaId}`, {})).toMatchObject({
    status: 200,
    body: {},
  });
  expect(await quarantinedBy(mediaId)).toBe('@admin:localhost');
  expect(await statusFor(mediaId)).toBe(404);
  expect(await statusFor(mediaId, 'admin')).toBe(404);
  expect((await thumbnail(homeserver, 'bob', mediaId, 'width=1&height=1')).status).toBe(404);
  expect((await fetchContent(homeserver, 'guest', `media/v3/download/localhost/${mediaId}`)).status).toBe(
    404,
  );

  await admin().post(`${media}/unquarantine/localhost/${mediaId}`, {});
  expect(await quarantinedBy(mediaId)).toBe(null);
  expect(await statusFor(mediaId)).toBe(200);
});

test('only admins see quarantined media, on request', async () => {
  const mediaId = await uploadNew('alice');
  await admin().post(`${media}/quarantine/localhost/${mediaId}`);
  const bypass = '?admin_unsafely_bypass_quarantine=true';
  expect((await download(homeserver, 'admin', mediaId, bypass)).status).toBe(200);
  expect((await download(homeserver, 'alice', mediaId, bypass)).status).toBe(404);
  const legacy = `media/v3/download/localhost/${mediaId}${bypass}`;
  expect((await fetchContent(homeserver, 'admin', legacy)).status).toBe(404);
});

test('identical content is quarantined and released together, for all uploaders', async () => {
  const first = await upload(homeserver, 'alice', 'the same again');
  const second = await upload(homeserver, 'bob', 'the same again');
  await admin().post(`${media}/quarantine/localhost/${first}`);
  expect(await quarantinedBy(second)).toBe('@admin:localhost');
  const third = await upload(homeserver, 'carol', 'the same again');
  expect(await quarantinedBy(third)).toBe('system');
  expect(await statusFor(third)).toBe(404);
  await admin().post(`${media}/unquarantine/localhost/${second}`);
  for (const mediaId of [first, second, third]) expect(await quarantinedBy(mediaId)).toBe(null);
});

test('protected media can’t be quarantined, one by one or with others', async () => {
  const mediaId = await uploadNew('carol');
  const twin = await upload(homeserver, 'carol', `content ${contents - 1}`);
  expect(await admin().post(`${media}/protect/${mediaId}`, {})).toMatchObject({ status: 200, body: {} });
  expect((await details(mediaId)).safe_from_quarantine).toBe(true);
  await admin().post(`${media}/quarantine/localhost/${mediaId}`);
  expect(await quarantinedBy(mediaId)).toBe(null);
  expect(await quarantinedBy(twin)).toBe(null);
  await admin().post(`${media}/quarantine/localhost/${twin}`);
  expect(await quarantinedBy(twin)).toBe('@admin:localhost');
  await admin().post('/_service/admin/v1/user/@carol:localhost/media/quarantine');
  expect(await quarantinedBy(mediaId)).toBe(null);
  expect(await statusFor(mediaId)).toBe(200);

  await admin().post(`${media}/unprotect/${mediaId}`, {});
  await admin().post(`${media}/quarantine/localhost/${mediaId}`);
  expect(await quarantinedBy(mediaId)).toBe('@admin:localhost');
});

test("all media of a user is quarantined, and no one else's", async () => {
  const own = [await uploadNew('bob'), await uploadNew('bob'), await uploadNew('bob')];
  const other = await uploadNew('alice');
  await admin().post(`${media}/protect/${own[2]}`);
  const before = await admin().post('/_synapse/admin/v1/user/@bob:localhost/media/quarantine', {});
  expect(before.body.num_quarantined).toBeGreaterThanOrEqual(2);
  expect(await Promise.all([...own, other].map(quarantinedBy))).toEqual([
    '@admin:localhost',
    '@admin:localhost',
    null,
    null,
  ]);
  const again = await admin().post('/_service/admin/v1/user/@bob:localhost/media/quarantine', {});
  expect(again.body).toEqual({ num_quarantined: 0 });
});

test.each([
  ['/room/', '/media/quarantine'],
  ['/quarantine_media/', ''],
])('all media that a room shows is quarantined: %s…%s', async (before, after) => {
  const alice = homeserver.as('alice');
  const roomId = await makeRoom(alice);
  const [picture, small, kept, elsewhere] = (await Promise.all(
    Array.from({ length: 4 }, () => uploadNew('alice')),
  )) as [string, string, string, string];
  await admin().post(`${media}/protect/${kept}`);
  const send = (id: string, content: object) =>
    alice.put(path('rooms', roomId, 'send', 'm.room.message', id), {
      msgtype: 'm.image',
      body: 'x',
      ...content,
    });
  await send('1', {
    url: `mxc://localhost/${picture}`,
    info: { thumbnail_url: `mxc://localhost/${small}` },
  });
  await send('2', { url: `mxc://localhost/${kept}` });
  await send('3', { url: `mxc://elsewhere.org/${elsewhere}` });
  const url = `/_service/admin/v1${before}${encodeURIComponent(roomId)}${after}`;
  expect(await admin().post(url, {})).toMatchObject({ status: 200, body: { num_quarantined: 2 } });
  expect(await Promise.all([picture, small, kept, elsewhere].map(quarantinedBy))).toEqual([
    '@admin:localhost',
    '@admin:localhost',
    null,
    null,
  ]);
});

test('changes are listed in order, from the end of the last page', async () => {
  const changes = async (from: number) =>
    (await admin().get(`${media}/quarantine_changes?from=${from}`)).body as {
      next_batch: number;
      changes: { origin: string; media_id: string; quarantined: boolean }[];
    };
  let from = 0;
  for (let page = await changes(0); page.changes.length > 0; page = await changes(from))
    from = page.next_batch;

  const mediaId = await uploadNew('alice');
  await admin().post(`${media}/quarantine/localhost/${mediaId}`);
  await admin().post(`${media}/quarantine/localhost/${mediaId}`);
  const repeated = await upload(homeserver, 'bob', `content ${contents - 1}`);
  await admin().post(`${media}/unquarantine/localhost/${mediaId}`);
  const page = await changes(from);
  const entry = (media_id: string, quarantined: boolean) => ({ origin: 'localhost', media_id, quarantined });
  expect(page.changes.slice(0, 2)).toEqual([entry(mediaId, true), entry(repeated, true)]);
  expect(page.changes.slice(2)).toHaveLength(2);
  expect(page.changes.slice(2)).toEqual(
    expect.arrayContaining([entry(mediaId, false), entry(repeated, false)]),
  );
});
