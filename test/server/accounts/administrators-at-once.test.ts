/** Administrators who change the same and different accounts at the same time. */
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
/** More than the database has connections, so that transactions wait for each other. */
const pairsAtOnce = 10;

const idOf = (name: string) => `@${name}:localhost`;
const put = (name: string, body: object) =>
  homeserver.as('admin').put(`${base}/v2/users/${idOf(name)}`, body);

/** Does something with each of the users `prefix`0, `prefix`1, … some at once, and gives what came of it. */
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

/** The totals that lists give come from counters; what they count is what the lists hold. */
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

/** Changes one way and another way of the same user, and what the user may be afterwards. */
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
])('%s: both succeed, and one of them comes last', async (title, before, one, other, outcomes) => {
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

test('promoting one user with demoting another, by the endpoint that does only that', async () => {
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

test('making an administrator with promoting and with locking others', async () => {
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

test('making the same user twice makes it once, with what both asked for', async () => {
  const replies = await forEach('twin-', (name) =>
    Promise.all([put(name, { admin: true }), put(name, { user_type: 'bot' })]),
  );
  expect(replies.map((pair) => statuses(pair).sort())).toEqual(times([200, 201]));
  const users = await listed('twin-');
  expect(users).toEqual(times(expect.objectContaining({ admin: true, user_type: 'bot' })));
  await expectTotalsRight();
});

/** How many of something two users have. */
const countOf = async (names: string[], what: 'threepids' | 'external_ids') => {
  const replies = names.map((name) => homeserver.as('admin').get(`${base}/v2/users/${idOf(name)}`));
  return (await Promise.all(replies)).map(({ body }) => body[what].length).sort();
};

test('addresses that two users are given at once, in opposite orders, are of one of them', async () => {
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

test('identities that two users are given at once, in opposite orders, are of the first', async () => {
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
  // Whoever comes first finds the identity taken and changes nothing; so does whoever comes second.
  expect(replies.map(statuses)).toEqual(times([409, 409]));
  const counts = await forEach('pair-', (name) => countOf([name, `other-${name}`], 'threepids'));
  expect(counts).toEqual(times([1, 1]));
});

test('many changes of one user all succeed, and the last of each kind stands', async () => {
  await put('busy', {});
  const changes = [{ admin: true }, { locked: true }, { user_type: 'bot' }, { displayname: 'Busy' }];
  const replies = await Promise.all(times(changes).flatMap((each) => each.map((body) => put('busy', body))));
  expect(new Set(statuses(replies))).toEqual(new Set([200]));
  const busy = { admin: true, locked: true, user_type: 'bot', displayname: 'Busy' };
  expect(await listed('busy')).toMatchObject([busy]);
  await expectTotalsRight();
});
