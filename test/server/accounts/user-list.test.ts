import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createUser, ensureUser } from '../../../server/identity/accounts/create-user.ts';
import { maximumUsersPerPage } from '../../../shared/api/users.ts';
import { loadUsers } from '../../bench/load-data.ts';
import { manualClock } from '../../manual-clock.ts';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';

const base = '/_service/admin';
const clock = manualClock();
let homeserver: TestHomeserver;

beforeAll(async () => {
  homeserver = await startHomeserver({ clock });
});
afterAll(() => homeserver.remove());

const admin = () => homeserver.as('admin');
const user = (name: string) => `${base}/v2/users/@${name}:localhost`;

describe.each([
  ['vendor', '/_service/admin'],
  ['matrix', '/_synapse/admin'],
])('in the %s dialect', (_, at) => {
  test.each<[string, string, string, number, string]>([
    ['the list anonymously', 'guest', '/v2/users', 401, 'M_MISSING_TOKEN'],
    ['the list to a user', 'alice', '/v2/users', 403, 'M_FORBIDDEN'],
    ['an unknown order', 'admin', '/v2/users?order_by=shoes', 400, 'M_INVALID_PARAM'],
    ['a direction', 'admin', '/v2/users?dir=up', 400, 'M_INVALID_PARAM'],
    ['before zero', 'admin', '/v2/users?from=-1', 400, 'M_INVALID_PARAM'],
    ['a negative number', 'admin', '/v2/users?limit=-1', 400, 'M_INVALID_PARAM'],
    ['perhaps', 'admin', '/v2/users?deactivated=perhaps', 400, 'M_INVALID_PARAM'],
  ])('refuses %s', async (_, caller, path, status, errcode) => {
    const reply = await homeserver.as(caller).get(at + path);
    expect(reply).toMatchObject({ status, body: { errcode, error: expect.any(String) } });
  });
});

test('a page above the maximum ends at the limit, from either end of the list', async () => {
  const large = await startHomeserver();
  const total = maximumUsersPerPage + 700;
  await loadUsers(large.services, total);
  const list = async (from: number, dir: string) => {
    const path = `${base}/v2/users?user_id=person&order_by=creation_ts&dir=${dir}&from=${from}&limit=${total}`;
    return (await large.as('admin').get(path)).body;
  };
  const numbersOf = ({ users }: { users: { name: string }[] }) =>
    users.map(({ name }) => Number(name.match(/\d+/)?.[0]));
  for (const from of [0, 600, 1_600]) {
    const expected = Array.from(
      { length: Math.min(maximumUsersPerPage, total - from) },
      (_, at) => from + at,
    );
    expect(numbersOf(await list(from, 'f'))).toEqual(expected);
    expect(numbersOf(await list(from, 'b'))).toEqual(expected.map((number) => total - 1 - number));
  }
  await large.remove();
});

describe('the list', () => {
  const list = async (query: string) => (await admin().get(`${base}/v2/users?${query}`)).body;
  const names = (page: { users: { name: string }[] }) => page.users.map(({ name }) => name);

  beforeAll(async () => {
    for (let index = 0; index < 40; index++) {
      clock.advance(1000);
      await createUser(homeserver.services, {
        localpart: `person${String(index).padStart(2, '0')}`,
        displayName: index % 3 === 0 ? `Émile ${index}%` : `Ann_${index}`,
      });
    }
    await ensureUser(homeserver.services, { localpart: '1234567', guest: true });
    await admin().put(user('person05'), { deactivated: true });
    await admin().put(user('person06'), { locked: true });
    await admin().put(user('person07'), { user_type: 'bot' });
    await admin().put(user('person08'), { admin: true });
    await admin().put(user('person10'), { avatar_url: 'mxc://localhost/face' });
  });

  test('returns every field', async () => {
    expect((await list('user_id=person09')).users).toEqual([
      {
        name: '@person09:localhost',
        user_type: null,
        is_guest: false,
        admin: false,
        deactivated: false,
        shadow_banned: false,
        displayname: 'Émile 9%',
        avatar_url: null,
        creation_ts: expect.any(Number),
        approved: true,
        erased: false,
        last_seen_ts: null,
        locked: false,
      },
    ]);
  });

  test.each<[string, string[]]>([
    ['user_id=person0', ['00', '01', '02', '03', '04', '07', '08', '09']],
    ['user_id=person0&deactivated=true', ['00', '01', '02', '03', '04', '05', '07', '08', '09']],
    ['user_id=person0&locked=true', ['00', '01', '02', '03', '04', '06', '07', '08', '09']],
    ['user_id=person0&admins=true', ['08']],
    ['user_id=person0&admins=false&limit=2', ['00', '01']],
    ['user_id=person0&not_user_type=bot', ['00', '01', '02', '03', '04', '08', '09']],
    ['user_id=person0&not_user_type=', ['07']],
    ['user_id=PERSON10', ['10']],
    ['name=Émile 1', ['12', '15', '18']],
    ['name=ann_1', ['01', '10', '11', '13', '14', '16', '17', '19']],
    ['name=Ann%251', []],
    ['name=9%25', ['09', '39']],
    ['name=localhost', []],
    ['name=PERSON10', ['10']],
    ['user_id=person1&order_by=creation_ts&dir=b&limit=3', ['19', '18', '17']],
    ['user_id=person1&order_by=displayname&limit=4', ['10', '11', '13', '14']],
    ['user_id=person&order_by=admin&dir=b&limit=1', ['08']],
    ['user_id=person&order_by=locked&dir=b&limit=1&locked=true', ['06']],
    ['user_id=person0&guests=false&limit=1', ['00']],
    ['user_id=person0&limit=0', []],
  ])('%s', async (query, expected) => {
    expect(names(await list(query))).toEqual(expected.map((index) => `@person${index}:localhost`));
  });

  test('leaves out guests on request, also in a search and in the total', async () => {
    expect(names(await list('user_id=1234567'))).toEqual(['@1234567:localhost']);
    expect(await list('user_id=1234567&guests=false')).toMatchObject({ users: [], total: 0 });
    const [all, others] = [await list('limit=1000'), await list('limit=1000&guests=false')];
    expect(others.total).toBe(all.total - 1);
    expect(names(others)).toEqual(names(all).filter((name) => name !== '@1234567:localhost'));
  });

  test.each<[string, string[], number]>([
    ['', ['04', '05', '07'], 9],
    ['&deactivated=true', ['05'], 1],
    ['&deactivated=false', ['04', '07', '08'], 8],
  ])('version 3 lists only deactivated users, or only the others: %s', async (flag, expected, total) => {
    const path = `/_service/admin/v3/users?user_id=person0${flag}`;
    const { body } = await admin().get(path);
    expect(body.total).toBe(total);
    expect(names((await admin().get(`${path}&from=${total > 1 ? 4 : 0}&limit=3`)).body)).toEqual(
      expected.map((index) => `@person${index}:localhost`),
    );
    // Without a search, the total comes from counters.
    expect((await admin().get('/_service/admin/v3/users?deactivated=true')).body.total).toBe(1);
  });

  test.each(['name', 'displayname', 'creation_ts', 'last_seen_ts', 'user_type', 'avatar_url', 'is_guest'])(
    'is complete and ordered page by page, by %s',
    async (order) => {
      for (const dir of ['f', 'b']) {
        const whole = names(await list(`order_by=${order}&dir=${dir}&limit=1000`));
        const seen: string[] = [];
        for (let from: string | undefined = '0'; from !== undefined; ) {
          const page = await list(`order_by=${order}&dir=${dir}&limit=7&from=${from}`);
          expect(page.total).toBe(whole.length);
          seen.push(...names(page));
          from = page.next_token;
        }
        expect(seen).toEqual(whole);
        expect(new Set(seen).size).toBe(whole.length);
      }
    },
  );

  test('has the right total', async () => {
    for (const query of [
      '',
      'admins=true',
      'deactivated=true',
      'locked=true',
      'not_user_type=bot',
      'not_user_type=',
    ]) {
      const page = await list(`limit=1000&${query}`);
      expect(page.total, query).toBe(page.users.length);
    }
    expect((await list('from=5000')).users).toEqual([]);
  });
});
