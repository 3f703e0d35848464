/** Concurrent changes by several admins to the same and to different accounts. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isMatrix } from '../../matrix.ts';
import { type Reply, startHomeserver, type TestHomeserver } from '../homeserver.ts';

let homeserver: TestHomeserver;
beforeAll(async () => {
  homeserver = await startHomeserver();
});
afterAll(() => homeserver.remove());

const base = '/_service/admin';
const pairs = isMatrix ? 40 : 10;
/** More than the database's connections, so that transactions wait for each other. */
const pairsAtOnce = 10;

const idOf = (name: string) => `@${name}:localhost`;
const put = (name: string, body: object) =>
  homeserver.as('admin').put(`${base}/v2/users/${idOf(name)}`, body);

/** Runs `act` for the users `prefix`0, `prefix`1, … with some concurrency. Returns the results. */
async function forEach<Result>(prefix: string, act: (name: string) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  for (let start = 0; start < pairs; start += pairsAtOnce) {
    const names = Array.from({ length: pairsAtOnce }, (_, index) => `${prefix}${start + index}`);
    results.push(...(await Promise.all(names.map(act))));
  }
  return results;
}

type ListedUser = { name: string; admin: boolean; locked: boolean; deactivated: boolean };

const list = async (query: string): Promise<{ users: ListedUser[]; total: number }> =>
  (await homeserver.as('admin').get(`${base}/v2/users?limit=10000&${query}`)).body;

const everyone = 'deactivated=true&locked=true';

const listed = async (prefix: string) => (await list(`${everyone}&user_id=${prefix}`)).users;

/** Compares the totals in lists, which come from counters, with the lists' contents. */
async function expectTotalsRight(): Promise<void> {
  const queries = ['', 'deactivated=true', 'locked=true', everyone].flatMap((flags) =>
    ['', 'admins=true', 'admins=false', 'not_user_type=bot', 'not_user_type='].map(
      (more) => `${flags}&${more}`,
    ),
  );
  for (const query of queries) {
    const { users, total } = await list(query);
    expect({ query, total }).toEqual({ query, total: users.length });
  }
}

const statuses = (replies: Reply[]) => replies.map(({ status }) => status);
const times = <Value>(value: Value) => Array.from({ length: pairs }, () => value);

/** Two concurrent changes to the same user, and the states that may result. */
test.each<[string, object, object, object, object[]]>([
  ['promoting with demoting', {}, { admin: true }, { admin: false }, [{ admin: true }, { admin: false }]],
  ['locking with promoting', {}, { locked: true }, { admin: true }, [{ locked: true, admin: true }]],
  [
    'locking with making a bot',
    { admin: true },
    { locked: true },
    { user_type: 'bot' },
    [{ locked: true, admin: true, user_type: 'bot' }],
  ],
  [
    'deactivating with reactivating',
    {},
    { deactivated: true },
    { deactivated: false },
    [{ deactivated: true }, { deactivated: false }],
  ],
  [
    'renaming with unlocking',
    { locked: true },
    { displayname: 'New name' },
    { locked: false },
    [{ displayname: 'New name', locked: false }],
  ],
])('%s: both succeed, in one order', async (title, before, one, other, outcomes) => {
  const prefix = `${title.replaceAll(' ', '-')}-`;
  await forEach(prefix, (name) => put(name, before));
  const replies = await forEach(prefix, (name) => Promise.all([put(name, one), put(name, other)]));
  expect(replies.map(statuses)).toEqual(times([200, 200]));

  const users = await listed(prefix);
  expect(users).toHaveLength(pairs);
  const expected = outcomes.map((outcome) => expect.objectContaining(outcome));
  for (const user of users) expect(expected).toContainEqual(user);
  await expectTotalsRight();
});

test('promoting one user while demoting another, by the admin endpoint', async () => {
  const set = (name: string, admin: boolean) =>
    homeserver.as('admin').put(`${base}/v1/users/${idOf(name)}/admin`, { admin });
  await forEach('riser-', (name) => put(name, {}));
  await forEach('riser-', (name) => put(`of-${name}`, { admin: true }));
  const replies = await forEach('riser-', (name) => Promise.all([set(name, true), set(`of-${name}`, false)]));
  expect(replies.map(statuses)).toEqual(times([200, 200]));
  const users = await listed('riser-');
  expect(users.map(({ name, admin }) => name.startsWith('@riser-') === admin)).toEqual(
    Array.from({ length: 2 * pairs }, () => true),
  );
  await expectTotalsRight();
});

test('creating an admin while promoting and locking others', async () => {
  await forEach('known-', (name) => put(name, {}));
  await forEach('known-', (name) => put(`lock-${name}`, { admin: true }));
  const replies = await forEach('known-', (name) =>
    Promise.all([
      put(`new-${name}`, { admin: true }),
      put(name, { admin: true }),
      put(`lock-${name}`, { locked: true, admin: false }),
    ]),
  );
  expect(replies.map(statuses)).toEqual(times([201, 200, 200]));
  await expectTotalsRight();
});

test("creating the same user twice creates it once with both requests' fields", async () => {
  const replies = await forEach('twin-', (name) =>
    Promise.all([put(name, { admin: true }), put(name, { user_type: 'bot' })]),
  );
  expect(replies.map((pair) => statuses(pair).sort())).toEqual(times([200, 201]));
  const users = await listed('twin-');
  expect(users).toEqual(times(expect.objectContaining({ admin: true, user_type: 'bot' })));
  await expectTotalsRight();
});

/** Returns how many entries of a kind two users have in total. */
const countOf = async (names: string[], what: 'threepids' | 'external_ids') => {
  const replies = names.map((name) => homeserver.as('admin').get(`${base}/v2/users/${idOf(name)}`));
  return (await Promise.all(replies)).map(({ body }) => body[what].length).sort();
};

test('addresses given to two users at once in opposite orders go to one of them', async () => {
  await forEach('mailer-', (name) => put(name, {}));
  await forEach('mailer-', (name) => put(`other-${name}`, {}));
  const replies = await forEach('mailer-', (name) => {
    const threepids = Array.from({ length: 8 }, (_, index) => ({
      medium: 'email',
      address: `${index}@${name}.example`,
    }));
    const reversed = { threepids: threepids.toReversed() };
    return Promise.all([put(name, { threepids }), put(`other-${name}`, reversed)]);
  });
  expect(replies.map(statuses)).toEqual(times([200, 200]));
  const counts = await forEach('mailer-', (name) => countOf([name, `other-${name}`], 'threepids'));
  expect(counts).toEqual(times([0, 8]));
});

test('identities given to two users at once in opposite orders go to the first', async () => {
  await forEach('member-', (name) => put(name, {}));
  await forEach('member-', (name) => put(`other-${name}`, {}));
  const replies = await forEach('member-', (name) => {
    const external_ids = Array.from({ length: 8 }, (_, index) => ({
      auth_provider: 'oidc',
      external_id: `${index} of ${name}`,
    }));
    const reversed = { external_ids: external_ids.toReversed() };
    return Promise.all([put(name, { external_ids }), put(`other-${name}`, reversed)]);
  });
  expect(replies.map((pair) => statuses(pair).sort())).toEqual(times([200, 409]));
  const counts = await forEach('member-', (name) => countOf([name, `other-${name}`], 'external_ids'));
  expect(counts).toEqual(times([0, 8]));
});

test('identities and addresses that two users exchange at once', async () => {
  const of = (name: string) => ({
    external_ids: [{ auth_provider: 'oidc', external_id: name }],
    threepids: [{ medium: 'email', address: `${name}@example.org` }],
  });
  await forEach('pair-', (name) => put(name, of(name)));
  await forEach('pair-', (name) => put(`other-${name}`, of(`other-${name}`)));
  const replies = await forEach('pair-', (name) =>
    Promise.all([put(name, of(`other-${name}`)), put(`other-${name}`, of(name))]),
  );
  // Both requests find the identity taken and change nothing.
  expect(replies.map(statuses)).toEqual(times([409, 409]));
  const counts = await forEach('pair-', (name) => countOf([name, `other-${name}`], 'threepids'));
  expect(counts).toEqual(times([1, 1]));
});

test('many concurrent changes of one user all succeed, and the last of each kind applies', async () => {
  await put('busy', {});
  const changes = [{ admin: true }, { locked: true }, { user_type: 'bot' }, { displayname: 'Busy' }];
  const replies = await Promise.all(times(changes).flatMap((each) => each.map((body) => put('busy', body))));
  expect(new Set(statuses(replies))).toEqual(new Set([200]));
  const busy = { admin: true, locked: true, user_type: 'bot', displayname: 'Busy' };
  expect(await listed('busy')).toMatchObject([busy]);
  await expectTotalsRight();
});
