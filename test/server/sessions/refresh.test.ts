/** Sessions with short-lived tokens, and refreshing them. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { refreshableTokens } from '../../../server/identity/sessions/refresh.ts';
import { manualClock } from '../../manual-clock.ts';
import { newcomer } from '../accounts/newcomer.ts';
import { call, startHomeserver, type TestHomeserver } from '../homeserver.ts';

const clock = manualClock();
let homeserver: TestHomeserver;
beforeAll(async () => {
  homeserver = await startHomeserver({
    clock,
    config: {
      sessions: {
        lifetimeMs: 3_600_000,
        plainTokenMs: undefined,
        refreshableTokenMs: 60_000,
        refreshTokenMs: 600_000,
      },
    },
  });
  await newcomer(homeserver, 'dora');
});
afterAll(() => homeserver.remove());

const post = (path: string, body: object, token?: string) =>
  call(homeserver.url, 'POST', `/_chat/client/v3${path}`, token, body);
const logIn = async (more: object = { refresh_token: true }) =>
  (await post('/login', { type: 'm.login.password', user: 'dora', password: 'correct horse', ...more })).body;
const refresh = (token: string) => post('/refresh', { refresh_token: token });
const whoAmI = async (token: string) =>
  (await call(homeserver.url, 'GET', '/_chat/client/v3/account/whoami', token)).status;

test('a token expires and is replaced', async () => {
  const first = await logIn();
  expect(first).toMatchObject({ expires_in_ms: 60_000, refresh_token: expect.any(String) });
  clock.advance(60_000);
  const expired = await call(homeserver.url, 'GET', '/_chat/client/v3/account/whoami', first.access_token);
  expect(expired).toMatchObject({ status: 401, body: { errcode: 'M_UNKNOWN_TOKEN', soft_logout: true } });
  const { status, body: second } = await refresh(first.refresh_token);
  expect(status).toBe(200);
  expect(second).toEqual({
    access_token: expect.any(String),
    refresh_token: expect.any(String),
    expires_in_ms: 60_000,
  });
  expect(await whoAmI(second.access_token)).toBe(200);
});

test('a refresh token can be used until its end', async () => {
  const [used, late] = [await logIn(), await logIn()];
  clock.advance(599_999);
  expect(await refresh(used.refresh_token)).toMatchObject({ status: 200 });
  clock.advance(1);
  expect(await refresh(late.refresh_token)).toMatchObject({
    status: 401,
    body: { errcode: 'M_UNKNOWN_TOKEN' },
  });
});

test('a lost reply can be requested again until its token is used', async () => {
  const first = await logIn();
  const lost = (await refresh(first.refresh_token)).body;
  const second = (await refresh(first.refresh_token)).body;
  expect(await whoAmI(lost.access_token)).toBe(401);
  expect(await refresh(lost.refresh_token)).toMatchObject({
    status: 401,
    body: { errcode: 'M_UNKNOWN_TOKEN' },
  });
  expect(await whoAmI(second.access_token)).toBe(200);
  expect(await refresh(first.refresh_token)).toMatchObject({ status: 403, body: { errcode: 'M_FORBIDDEN' } });
  // The next refresh invalidates the earlier tokens.
  const third = (await refresh(second.refresh_token)).body;
  expect(await whoAmI(first.access_token)).toBe(401);
  expect(await refresh(first.refresh_token)).toMatchObject({ status: 401 });
  expect(await whoAmI(third.access_token)).toBe(200);
});

test.each<[string, number | undefined, number | null, number, number | null]>([
  ['an unlimited session', undefined, null, 60_000, null],
  ['refresh tokens with an expiry', 600_000, null, 60_000, 600_000],
  ['a session that lasts longer', 600_000, 600_001, 60_000, 600_000],
  ['a session that ends before the refresh token', 600_000, 599_999, 60_000, 599_999],
  ['a session that ends before both', 600_000, 59_999, 59_999, 59_999],
  ['a session with an end, and refresh tokens without', undefined, 600_000, 60_000, 600_000],
])('tokens of %s end with it at the latest', (_, refreshTokenMs, sessionEnds, accessEnds, refreshEnds) => {
  const now = 1_000_000;
  const sessions = {
    lifetimeMs: undefined,
    plainTokenMs: undefined,
    refreshableTokenMs: 60_000,
    refreshTokenMs,
  };
  const ends = (after: number | null) => (after === null ? null : now + after);
  expect(refreshableTokens({ sessions }, now, ends(sessionEnds))).toMatchObject({
    session: { expiresInMs: accessEnds },
    accessEndsTs: ends(accessEnds),
    refreshEndsTs: ends(refreshEnds),
  });
});

test.each([
  ['locked', { locked: true }, 'M_USER_LOCKED'],
  ['deactivated', { deactivated: true }, 'M_UNKNOWN_TOKEN'],
])("a user who is %s can't refresh", async (_, change, errcode) => {
  const { refresh_token: token } = await logIn();
  const user = '/_service/admin/v2/users/@dora:localhost';
  const admin = await homeserver.add('admin');
  await admin.put(user, change);
  expect(await refresh(token)).toMatchObject({ status: 401, body: { errcode } });
  await admin.put(user, { locked: false, deactivated: false, password: 'correct horse' });
});

test("an ended session isn't refreshed", async () => {
  const first = await logIn();
  await post('/logout', {}, first.access_token);
  expect(await refresh(first.refresh_token)).toMatchObject({
    status: 401,
    body: { errcode: 'M_UNKNOWN_TOKEN' },
  });
  const { device_id } = await logIn();
  const again = await logIn({ refresh_token: true, device_id });
  await logIn({ device_id });
  expect((await refresh(again.refresh_token)).status).toBe(401);
});

test('nothing is refreshed after its expiry or the session’s', async () => {
  const idle = await logIn();
  const busy = await logIn();
  const plain = await logIn({});
  expect(plain).toMatchObject({ expires_in_ms: 3_600_000 });
  expect(plain).not.toHaveProperty('refresh_token');
  let current = busy;
  for (let minutes = 0; minutes < 58; minutes += 8) {
    clock.advance(8 * 60_000);
    const { status, body } = await refresh(current.refresh_token);
    if (minutes + 8 < 60) expect(status).toBe(200);
    else expect({ status, body }).toMatchObject({ status: 401, body: { soft_logout: true } });
    current = body;
  }
  expect(await refresh(idle.refresh_token)).toMatchObject({ status: 401, body: { soft_logout: true } });
  expect(await whoAmI(plain.access_token)).toBe(401);
});

test('only a refresh token can refresh', async () => {
  const { access_token } = await logIn();
  expect(await refresh(access_token)).toMatchObject({ status: 401, body: { errcode: 'M_UNKNOWN_TOKEN' } });
  expect(await post('/refresh', {})).toMatchObject({ status: 400, body: { errcode: 'M_MISSING_PARAM' } });
});
