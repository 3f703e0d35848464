import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { manualClock } from '../../manual-clock.ts';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { download, upload } from './uploads.ts';

const clock = manualClock();
const start = clock.now();

let homeserver: TestHomeserver;
/** In upload order. */
const ids: string[] = [];

const uploads = [
  { content: 'middle', type: 'text/plain', name: '?filename=b.txt' },
  { content: 'the longest one', type: 'image/png', name: '' },
  { content: 'a', type: 'audio/ogg', name: '?filename=a.ogg' },
] as const;

beforeAll(async () => {
  homeserver = await startHomeserver({ clock });
  for (const { content, type, name } of uploads) {
    ids.push(await upload(homeserver, 'alice', content, type, name));
    clock.advance(1000);
  }
  await upload(homeserver, 'bob', '12345678');
  await download(homeserver, 'bob', ids[1] ?? '');
  await homeserver.as('admin').post(`/_service/admin/v1/media/quarantine/localhost/${ids[0]}`);
  await homeserver.as('admin').post(`/_service/admin/v1/media/protect/${ids[2]}`);
});
afterAll(() => homeserver.remove());

const admin = () => homeserver.as('admin');
const ofAlice = '/_service/admin/v1/users/@alice:localhost/media';
const placesOf = (page: { media: { media_id: string }[] }) =>
  page.media.map((media) => ids.indexOf(media.media_id));

describe.each([
  ['vendor', '/_service/admin/v1'],
  ['matrix', '/_synapse/admin/v1'],
])('in the %s dialect', (_, prefix) => {
  const user = `${prefix}/users/@alice:localhost/media`;
  const statistics = `${prefix}/statistics/users/media`;

  test.each<[string, string, string, string, number, string]>([
    ['nobody', 'guest', 'get', user, 401, 'M_MISSING_TOKEN'],
    ['not an administrator', 'alice', 'get', user, 403, 'M_FORBIDDEN'],
    ['anonymous deletion', 'guest', 'delete', user, 401, 'M_MISSING_TOKEN'],
    ['deletion by a user', 'alice', 'delete', user, 403, 'M_FORBIDDEN'],
    ['an unknown user', 'admin', 'get', `${prefix}/users/@nobody:localhost/media`, 404, 'M_NOT_FOUND'],
    [
      'deletion for an unknown user',
      'admin',
      'delete',
      `${prefix}/users/@nobody:localhost/media`,
      404,
      'M_NOT_FOUND',
    ],
    ['a user elsewhere', 'admin', 'get', `${prefix}/users/@alice:elsewhere.org/media`, 400, 'M_UNKNOWN'],
    ['no user at all', 'admin', 'get', `${prefix}/users/alice/media`, 400, 'M_INVALID_PARAM'],
    ['an unknown order', 'admin', 'get', `${user}?order_by=colour`, 400, 'M_INVALID_PARAM'],
    ['an unknown direction', 'admin', 'get', `${user}?dir=up`, 400, 'M_INVALID_PARAM'],
    ['a negative number', 'admin', 'get', `${user}?limit=-1`, 400, 'M_INVALID_PARAM'],
    ['before zero', 'admin', 'delete', `${user}?from=-1`, 400, 'M_INVALID_PARAM'],
    ['statistics for a user', 'alice', 'get', statistics, 403, 'M_FORBIDDEN'],
    ['statistics in an unknown order', 'admin', 'get', `${statistics}?order_by=x`, 400, 'M_INVALID_PARAM'],
    ['statistics of no time', 'admin', 'get', `${statistics}?from_ts=5&until_ts=3`, 400, 'M_INVALID_PARAM'],
    ['statistics before time', 'admin', 'get', `${statistics}?from_ts=-5`, 400, 'M_INVALID_PARAM'],
    ['an empty search', 'admin', 'get', `${statistics}?search_term=`, 400, 'M_INVALID_PARAM'],
  ])('refuses %s', async (_, caller, method, url, status, errcode) => {
    const reply = await homeserver.as(caller)[method as 'get' | 'delete'](url);
    expect(reply).toMatchObject({ status, body: { errcode, error: expect.any(String) } });
  });
});

describe('the list', () => {
  test.each([
    ['', [2, 1, 0]],
    ['?dir=b', [2, 1, 0]],
    ['?dir=f', [0, 1, 2]],
    ['?order_by=created_ts', [0, 1, 2]],
    ['?order_by=created_ts&dir=b', [2, 1, 0]],
    ['?order_by=media_length', [2, 0, 1]],
    ['?order_by=media_length&dir=b', [1, 0, 2]],
    ['?order_by=media_type', [2, 1, 0]],
    ['?order_by=upload_name', [1, 2, 0]],
    ['?order_by=upload_name&dir=b', [0, 2, 1]],
    ['?order_by=safe_from_quarantine&dir=b&limit=1', [2]],
    ['?order_by=quarantined_by&dir=b&limit=1', [0]],
    ['?order_by=last_access_ts&dir=b&limit=1', [1]],
    ['?limit=0', []],
    ['?from=3', []],
    ['?from=999999999', []],
  ])('%s', async (query, places) => {
    const { status, body } = await admin().get(ofAlice + query);
    expect({ status, total: body.total }).toEqual({ status: 200, total: 3 });
    expect(placesOf(body)).toEqual(places);
  });

  test('ties are ordered by ID in either direction', async () => {
    for (const direction of ['f', 'b']) {
      const { body } = await admin().get(`${ofAlice}?order_by=quarantined_by&dir=${direction}`);
      const rest = placesOf(body).filter((place) => place !== 0);
      expect(rest).toEqual((ids[1] ?? '') < (ids[2] ?? '') ? [1, 2] : [2, 1]);
    }
  });

  test('is complete page by page', async () => {
    const seen: number[] = [];
    let from: number | undefined = 0;
    while (from !== undefined) {
      const { body }: { body: { media: { media_id: string }[]; next_token?: number } } = await admin().get(
        `${ofAlice}?limit=2&from=${from}`,
      );
      seen.push(...placesOf(body));
      from = body.next_token;
    }
    expect(seen).toEqual([2, 1, 0]);
  });

  test('an item has every field', async () => {
    const { body } = await admin().get(`${ofAlice}?dir=f&limit=1`);
    expect(body.media[0]).toEqual({
      media_id: ids[0],
      user_id: '@alice:localhost',
      media_type: 'text/plain',
      media_length: 6,
      upload_name: 'b.txt',
      created_ts: start,
      last_access_ts: null,
      url_cache: null,
      quarantined_by: '@admin:localhost',
      safe_from_quarantine: false,
      authenticated: true,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });
});

describe('statistics', () => {
  const alice = { user_id: '@alice:localhost', media_count: 3, media_length: 22 };
  const bob = { user_id: '@bob:localhost', media_count: 1, media_length: 8 };
  const start = clock.now();

  test.each([
    ['', [alice, bob]],
    ['?dir=b', [bob, alice]],
    ['?order_by=media_length', [bob, alice]],
    ['?order_by=media_count&dir=b', [alice, bob]],
    ['?search_term=LIC', [alice]],
    ['?search_term=local', []],
    ['?search_term=%25', []],
    ['?search_term=_', []],
    [`?until_ts=${start}`, [{ ...alice, media_count: 1, media_length: 6 }]],
    [`?from_ts=${start + 1}&until_ts=${start + 1000}`, [{ ...alice, media_count: 1, media_length: 15 }]],
    [`?from_ts=${start + 2001}`, [bob]],
    [`?from_ts=${start + 2000}&order_by=media_length`, [{ ...alice, media_count: 1, media_length: 1 }, bob]],
  ])('%s', async (query, users) => {
    const { status, body } = await admin().get(`/_service/admin/v1/statistics/users/media${query}`);
    expect({ status, body }).toMatchObject({ status: 200, body: { users, total: users.length } });
  });

  test('are paginated', async () => {
    const first = (await admin().get('/_service/admin/v1/statistics/users/media?limit=1')).body;
    expect(first).toMatchObject({ users: [alice], total: 2, next_token: 1 });
    const second = (await admin().get('/_service/admin/v1/statistics/users/media?limit=1&from=1')).body;
    expect(second).toMatchObject({ users: [bob], total: 2 });
    expect(second).not.toHaveProperty('next_token');
  });
});

describe('deletion', () => {
  test('deletes the newest hundred, counts them, and leaves the rest', async () => {
    const carol = '/_service/admin/v1/users/@carol:localhost/media';
    const own: string[] = [];
    for (let count = 0; count < 250; count++) {
      own.push(await upload(homeserver, 'carol', `number ${count}`));
      clock.advance(1);
    }
    const { body } = await admin().delete(carol);
    expect(body).toEqual({ deleted_media: own.slice(150).reverse(), total: 100 });
    const more = await admin().delete(`${carol}?limit=120`);
    expect(more.body).toEqual({ deleted_media: own.slice(30, 150).reverse(), total: 120 });
    expect((await admin().get(carol)).body.total).toBe(30);
    expect((await download(homeserver, 'bob', own[249] ?? '')).status).toBe(404);
    expect((await download(homeserver, 'bob', own[0] ?? '')).status).toBe(200);
    expect((await admin().delete(`${carol}?dir=f&limit=1`)).body.deleted_media).toEqual([own[0]]);
    expect((await admin().delete(`${carol}?from=28`)).body.deleted_media).toEqual([own[1]]);
    expect((await admin().delete(`${carol}?limit=0`)).body).toEqual({ deleted_media: [], total: 0 });
    expect((await admin().delete(`${carol}?limit=9999999`)).body.total).toBe(28);
    expect((await admin().delete(carol)).body).toEqual({ deleted_media: [], total: 0 });
    const { body: statistics } = await admin().get(
      '/_service/admin/v1/statistics/users/media?search_term=carol',
    );
    expect(statistics).toEqual({ users: [], total: 0 });
  });
});
