/** Single-use tokens work once, even with concurrent attempts. */
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { call, type Reply, startHomeserver, type TestHomeserver } from '../homeserver.ts';

const sharedSecret = 'shared-secret';
let homeserver: TestHomeserver;
beforeAll(async () => {
  homeserver = await startHomeserver({
    config: {
      registration: { enabled: true, requiresToken: true, sharedSecret },
      loginViaExistingSession: { requireUiAuth: false, tokenTimeoutMs: 60_000 },
    },
  });
});
afterAll(() => homeserver.remove());

const guest = () => homeserver.as('guest');
const admin = () => homeserver.as('admin');
const tokens = '/_service/admin/v1/registration_tokens';
const password = 'correct horse';

const atOnce = <Result>(count: number, act: (number: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, number) => act(number)));

const successes = (replies: Reply[]) => replies.filter(({ status }) => status === 200).length;
const otherStatuses = (replies: Reply[]) =>
  new Set(replies.map(({ status }) => status).filter((status) => status !== 200));

const register = (username: string, auth?: object) =>
  guest().post('/_chat/client/v3/register', { username, password, auth, inhibit_login: true });
const tokenStage = (token: string) => ({ type: 'm.login.registration_token', token });
const dummyStage = (session: string) => ({ type: 'm.login.dummy', session });

const newToken = async (token: string, uses_allowed: number) =>
  admin().post(`${tokens}/new`, { token, uses_allowed });
const registered = async (prefix: string) =>
  (await admin().get(`/_service/admin/v2/users?user_id=${prefix}`)).body.total;

test('a registration token with one use registers one of twenty users', async () => {
  await newToken('single', 1);
  const replies = await atOnce(20, async (number) => {
    const username = `single-${number}`;
    const { body } = await register(username, tokenStage('single'));
    return register(username, dummyStage(body.session));
  });
  expect(successes(replies)).toBe(1);
  for (const status of otherStatuses(replies)) expect([401, 403]).toContain(status);
  expect(await registered('single-')).toBe(1);
  expect((await admin().get(`${tokens}/single`)).body).toMatchObject({ pending: 0, completed: 1 });
});

test('of eight pending registrations, as many succeed as the token still allows', async () => {
  await newToken('shrinking', 8);
  const sessions = await atOnce(8, async (number) => {
    const { body } = await register(`shrinking-${number}`, tokenStage('shrinking'));
    return body.session as string;
  });
  await admin().put(`${tokens}/shrinking`, { uses_allowed: 3 });
  const replies = await atOnce(8, (number) =>
    register(`shrinking-${number}`, dummyStage(sessions[number] ?? '')),
  );
  expect({ made: successes(replies), others: otherStatuses(replies) }).toEqual({
    made: 3,
    others: new Set([403]),
  });
  expect(await registered('shrinking-')).toBe(3);
  expect((await admin().get(`${tokens}/shrinking`)).body).toMatchObject({ completed: 3 });
});

test('one authentication session registers one of twenty names', async () => {
  await newToken('session', 20);
  const { body } = await register('session-0', tokenStage('session'));
  const replies = await atOnce(20, (number) => register(`session-${number}`, dummyStage(body.session)));
  expect(successes(replies)).toBe(1);
  for (const status of otherStatuses(replies)) expect([400, 401]).toContain(status);
  expect(await registered('session-')).toBe(1);
  expect((await admin().get(`${tokens}/session`)).body).toMatchObject({ pending: 0, completed: 1 });
});

test('one name is registered by one of eight, and the others keep their token use', async () => {
  await newToken('name', 8);
  const sessions = await atOnce(8, async () => {
    const { body } = await register('the-name', tokenStage('name'));
    return body.session as string;
  });
  const replies = await atOnce(8, (number) => register('the-name', dummyStage(sessions[number] ?? '')));
  expect({ made: successes(replies), others: otherStatuses(replies) }).toEqual({
    made: 1,
    others: new Set([400]),
  });
  expect((await admin().get(`${tokens}/name`)).body).toMatchObject({ pending: 7, completed: 1 });
});

test('a nonce creates one of twenty users', async () => {
  const { body } = await guest().get('/_service/admin/v1/register');
  const replies = await atOnce(20, (number) => {
    const username = `nonce-${number}`;
    const mac = createHmac('sha1', sharedSecret)
      .update([body.nonce, username, password, 'notadmin'].join('\0'))
      .digest('hex');
    return guest().post('/_service/admin/v1/register', { nonce: body.nonce, username, password, mac });
  });
  expect({ made: successes(replies), others: otherStatuses(replies) }).toEqual({
    made: 1,
    others: new Set([400]),
  });
  expect(await registered('nonce-')).toBe(1);
});

test('a login token opens one of twenty sessions', async () => {
  const { body } = await homeserver.as('alice').post('/_chat/client/v1/login/get_token', {});
  const replies = await atOnce(20, () =>
    guest().post('/_chat/client/v3/login', { type: 'm.login.token', token: body.login_token }),
  );
  expect({ opened: successes(replies), others: otherStatuses(replies) }).toEqual({
    opened: 1,
    others: new Set([403]),
  });
});

test('eight logins on one device leave one session', async () => {
  await admin().put('/_service/admin/v2/users/@phone:localhost', { password });
  const replies = await atOnce(8, () =>
    guest().post('/_chat/client/v3/login', {
      type: 'm.login.password',
      user: 'phone',
      password,
      device_id: 'PHONE',
    }),
  );
  expect(otherStatuses(replies)).toEqual(new Set());
  const known = await Promise.all(
    replies.map(({ body }) =>
      call(homeserver.url, 'GET', '/_chat/client/v3/account/whoami', body.access_token),
    ),
  );
  expect(successes(known)).toBe(1);
});
