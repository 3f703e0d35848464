import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createUser } from '../../../server/identity/accounts/create-user.ts';
import { manualClock } from '../../manual-clock.ts';
import {
  call,
  localListener,
  type Reply,
  startHomeserver,
  type TestHomeserver,
  unlimited,
} from '../homeserver.ts';

const clock = manualClock();
const seldom = { perSecond: 0.5, burstCount: 3 };
let homeserver: TestHomeserver;
let room: string;

beforeAll(async () => {
  homeserver = await startHomeserver({
    clock,
    config: {
      registration: { enabled: true, requiresToken: false, sharedSecret: undefined },
      rateLimits: {
        ...unlimited,
        loginAddress: { perSecond: 0.5, burstCount: 20 },
        loginAccount: seldom,
        loginFailures: seldom,
        registration: seldom,
        message: seldom,
      },
    },
  });
  await createUser(homeserver.services, { localpart: 'dora', password: 'right' });
  const { body } = await homeserver
    .as('alice')
    .post('/_chat/client/v3/createRoom', { preset: 'public_chat' });
  room = `/_chat/client/v3/rooms/${encodeURIComponent(body.room_id)}`;
  await homeserver.as('bob').post(`${room}/join`, {});
});
afterAll(() => homeserver.remove());

const logIn = (user: string, password: string) =>
  homeserver.as('guest').post('/_chat/client/v3/login', { type: 'm.login.password', user, password });
const say = (person: string, txn: string) =>
  homeserver.as(person).put(`${room}/send/m.room.message/${txn}`, { msgtype: 'm.text', body: txn });

const refusal = (waitMs: number) => ({
  status: 429,
  body: { errcode: 'M_LIMIT_EXCEEDED', error: expect.any(String), retry_after_ms: waitMs },
});
const statusesOf = (replies: Reply[]) => replies.map(({ status }) => status);

test('messages: a burst, then one every two seconds per user', async () => {
  for (const txn of ['1', '2', '3']) expect((await say('alice', txn)).status).toBe(200);
  const refused = await say('alice', '4');
  expect(refused).toMatchObject(refusal(2000));
  expect(refused.headers.get('retry-after')).toBe('2');
  expect((await say('bob', '1')).status).toBe(200);
  clock.advance(1000);
  expect(await say('alice', '4')).toMatchObject(refusal(1000));
  clock.advance(1000);
  expect((await say('alice', '4')).status).toBe(200);
  expect(await say('alice', '5')).toMatchObject(refusal(2000));
});

describe('logins', () => {
  test('wrong passwords are limited, even concurrent ones, and then the correct one must wait', async () => {
    clock.advance(60_000);
    const tries = await Promise.all(Array.from({ length: 6 }, (_, index) => logIn('dora', `guess ${index}`)));
    expect(statusesOf(tries).sort()).toEqual([403, 403, 403, 429, 429, 429]);
    expect((await logIn('dora', 'right')).status).toBe(429);
    clock.advance(2000);
    expect((await logIn('dora', 'right')).status).toBe(200);
  });

  test("correct passwords don't count as wrong ones", async () => {
    clock.advance(60_000);
    for (let index = 0; index < 4; index++) {
      expect((await logIn('dora', 'right')).status).toBe(200);
      clock.advance(2000);
    }
  });

  test('unknown names are limited in the same way', async () => {
    clock.advance(60_000);
    const tries = await Promise.all(Array.from({ length: 4 }, () => logIn('nobody', 'guess')));
    expect(statusesOf(tries).sort()).toEqual([403, 403, 403, 429]);
  });

  test('names that are too long are limited in the same way', async () => {
    clock.advance(60_000);
    const name = 'x'.repeat(100_000);
    const tries = await Promise.all(Array.from({ length: 4 }, () => logIn(name, 'guess')));
    expect(statusesOf(tries).sort()).toEqual([403, 403, 403, 429]);
  });

  test('one address has a limit in total', async () => {
    clock.advance(600_000);
    const tries = await Promise.all(
      Array.from({ length: 21 }, (_, index) => logIn(`user-${index}`, 'guess')),
    );
    expect(statusesOf(tries).filter((status) => status === 429)).toHaveLength(1);
  });
});

test("behind a proxy its view of the address counts, not the client's claim", async () => {
  const proxied = await startHomeserver({
    config: {
      listeners: [{ ...localListener, trustsProxy: true }],
      rateLimits: { ...unlimited, registration: { perSecond: 0.001, burstCount: 1 } },
    },
  });
  const ask = async (forwarded: string) => {
    const path = '/_chat/client/v1/register/m.login.registration_token/validity?token=x';
    return (await fetch(proxied.url + path, { headers: { 'x-forwarded-for': forwarded } })).status;
  };
  expect(await ask('203.0.113.1')).toBe(200);
  expect(await ask('203.0.113.2')).toBe(200);
  expect(await ask('198.51.100.7, 203.0.113.2')).toBe(429);
  await proxied.remove();
});

test('registrations are limited by address', async () => {
  const register = (username: string) =>
    call(homeserver.url, 'POST', '/_chat/client/v3/register', undefined, {
      username,
      password: 'pass-word',
      auth: { type: 'm.login.dummy' },
    });
  for (const name of ['one', 'two', 'three']) expect((await register(name)).status).toBe(200);
  expect(await register('four')).toMatchObject(refusal(2000));
});

test('reports are limited by reporter', async () => {
  const strict = await startHomeserver({
    clock,
    config: { rateLimits: { ...unlimited, reports: seldom } },
  });
  const { body } = await strict.as('alice').post('/_chat/client/v3/createRoom', { preset: 'public_chat' });
  const path = `/_chat/client/v3/rooms/${encodeURIComponent(body.room_id)}`;
  const sent = await strict
    .as('alice')
    .put(`${path}/send/m.room.message/1`, { msgtype: 'm.text', body: 'x' });
  const report = () =>
    strict.as('alice').post(`${path}/report/${encodeURIComponent(sent.body.event_id)}`, {});
  for (let index = 0; index < 3; index++) expect((await report()).status).toBe(200);
  expect(await report()).toMatchObject(refusal(2000));
  await strict.remove();
});
