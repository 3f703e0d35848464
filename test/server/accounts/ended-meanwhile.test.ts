/** Requests in flight when the user's rights are revoked gain nothing lasting. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { call, type Reply, startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { makeRoom, path } from '../rooms/client.ts';

let homeserver: TestHomeserver;
beforeAll(async () => {
  const loginViaExistingSession = { requireUiAuth: false, tokenTimeoutMs: 120_000 };
  homeserver = await startHomeserver({ config: { loginViaExistingSession } });
});
afterAll(() => homeserver.remove());

const users = '/_service/admin/v1/users';
const admin = () => homeserver.as('admin');
const put = (name: string, body: object) => admin().put(`/_service/admin/v2/users/@${name}:localhost`, body);
const post = (path: string, token: string | undefined, body: object) =>
  call(homeserver.url, 'POST', path, token, body);
const logIn = (user: string, password: string) =>
  post('/_chat/client/v3/login', undefined, { type: 'm.login.password', user, password });

/** Returns the number of valid tokens in the replies. */
async function countGood(replies: Reply[]): Promise<number> {
  const tokens = replies.flatMap(({ body }) => (body.access_token as string | undefined) ?? []);
  const asked = await Promise.all(
    tokens.map((token) => call(homeserver.url, 'GET', '/_chat/client/v3/account/whoami', token)),
  );
  return asked.filter(({ status }) => status === 200).length;
}

/** Runs `act` many times before and after `change`, all concurrently. */
async function around(act: () => Promise<Reply>, change: () => Promise<Reply>): Promise<Reply[]> {
  const many = () => Array.from({ length: 12 }, act);
  const [before, changed] = [many(), change()];
  const replies = await Promise.all([...before, ...many()]);
  expect((await changed).status).toBe(200);
  return replies;
}

test.each<[string, (chief: string) => Promise<Reply>]>([
  ['demoted', (chief) => admin().put(`${users}/@${chief}:localhost/admin`, { admin: false })],
  ['locked', (chief) => put(chief, { locked: true })],
  ['deactivated', (chief) => put(chief, { deactivated: true })],
  ['given a new password', (chief) => put(chief, { password: 'other' })],
])('an admin who is %s loses all access as other users', async (title, change) => {
  const chief = `chief-${title.replaceAll(' ', '-')}`;
  await put(chief, { admin: true, password: 'secret' });
  const own = (await logIn(chief, 'secret')).body.access_token;
  const replies = await around(
    () => post(`${users}/@bob:localhost/login`, own, {}),
    () => change(chief),
  );
  for (const { status } of replies) expect([200, 401, 403]).toContain(status);
  expect(await countGood(replies)).toBe(0);
});

test('a password login during a password change is logged out with the others', async () => {
  await put('guessed', { password: 'secret' });
  const replies = await around(
    () => logIn('guessed', 'secret'),
    () => put('guessed', { password: 'other' }),
  );
  for (const { status } of replies) expect([200, 403]).toContain(status);
  expect(await countGood(replies)).toBe(0);
});

const loginToken = (session: string) => post('/_chat/client/v1/login/get_token', session, {});
const redeem = (token: string) => post('/_chat/client/v3/login', undefined, { type: 'm.login.token', token });

test('a token login during a password change is logged out with the others', async () => {
  await put('linked', { password: 'secret' });
  const own = (await logIn('linked', 'secret')).body.access_token;
  const made = await Promise.all(Array.from({ length: 24 }, () => loginToken(own)));
  const tokens = made.map(({ body }) => body.login_token as string);
  const replies = await around(
    () => redeem(tokens.pop() ?? ''),
    () => put('linked', { password: 'other' }),
  );
  for (const { status } of replies) expect([200, 403]).toContain(status);
  expect(await countGood(replies)).toBe(0);
});

test('a login token issued during a password change logs in no one afterwards', async () => {
  await put('linking', { password: 'secret' });
  const own = (await logIn('linking', 'secret')).body.access_token;
  const replies = await around(
    () => loginToken(own),
    () => put('linking', { password: 'other' }),
  );
  for (const { status } of replies) expect([200, 401]).toContain(status);
  const tokens = replies.flatMap(({ body }) => (body.login_token as string | undefined) ?? []);
  expect(await countGood(await Promise.all(tokens.map(redeem)))).toBe(0);
});

const left = (name: string, what: string) => admin().get(`${users}/@${name}:localhost/${what}`);
const hasNoRooms = (name: string) =>
  expect.poll(async () => (await left(name, 'joined_rooms')).body.joined_rooms).toEqual([]);

type Act = (session: Reply, name: string, count: number, rooms: string[]) => Promise<Reply>;

test.each<[string, Act, (name: string, replies: Reply[]) => Promise<unknown>]>([
  [
    'joins rooms',
    ({ body }, _, count, rooms) => post(path('join', rooms[count] ?? ''), body.access_token, {}),
    hasNoRooms,
  ],
  ['makes rooms', ({ body }) => post(path('createRoom'), body.access_token, {}), hasNoRooms],
  [
    'keeps account data',
    ({ body }, name, count) =>
      call(
        homeserver.url,
        'PUT',
        path('user', `@${name}:localhost`, 'account_data', `type-${count}`),
        body.access_token,
        {},
      ),
    async (name) =>
      expect((await left(name, 'accountdata')).body.account_data).toEqual({ global: {}, rooms: {} }),
  ],
  [
    'gets identity tokens',
    ({ body }, name) =>
      post(path('user', `@${name}:localhost`, 'openid', 'request_token'), body.access_token, {}),
    async (name, replies) => {
      await put(name, { deactivated: false, password: 'other' });
      const tokens = replies.flatMap(({ body }) => (body.access_token as string | undefined) ?? []);
      for (const token of tokens) {
        const asked = `/_chat/federation/v1/openid/userinfo?access_token=${token}`;
        expect((await call(homeserver.url, 'GET', asked)).status).toBe(401);
      }
    },
  ],
])(
  'if the account is deactivated while the user %s, nothing of it remains',
  async (title, act, expectNothing) => {
    const name = `leaver-${title.replaceAll(' ', '-')}`;
    await put(name, { password: 'secret' });
    const rooms = title.startsWith('joins')
      ? await Promise.all(Array.from({ length: 24 }, () => makeRoom(homeserver.as('alice'))))
      : [];
    const session = await logIn(name, 'secret');
    let count = 0;
    const replies = await around(
      () => act(session, name, count++, rooms),
      () => put(name, { deactivated: true }),
    );
    for (const { status } of replies) expect([200, 401, 403]).toContain(status);
    await expectNothing(name, replies);
  },
);

test.each([
  ['displayname', 'displayname'],
  ['avatar_url', 'avatar_url'],
  ['m.tz', 'field'],
])(
  'if the account is erased while the user changes their %s, nothing of it remains',
  async (field, title) => {
    const name = `erased-${title.replace('_', '-')}`;
    await put(name, { password: 'secret' });
    const { body } = await logIn(name, 'secret');
    const profile = path('profile', `@${name}:localhost`);
    let count = 0;
    const replies = await around(
      () =>
        call(homeserver.url, 'PUT', `${profile}/${field}`, body.access_token, {
          [field]: `mxc://a/${count++}`,
        }),
      () => admin().post(`/_service/admin/v1/deactivate/@${name}:localhost`, { erase: true }),
    );
    for (const { status } of replies) expect([200, 401, 403]).toContain(status);
    expect((await homeserver.as('guest').get(profile)).status).toBe(404);
  },
);
