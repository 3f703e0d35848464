import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import { type ManualClock, manualClock } from '../../manual-clock.ts';
import { queryDatabase } from '../database.ts';
import { localListener, type Reply, startHomeserver, type TestHomeserver, unlimited } from '../homeserver.ts';

const hour = 3_600_000;
const right = 'correct horse';
const owner = '@dora:localhost';
const home = '198.51.100.7';

let clock: ManualClock;
let homeserver: TestHomeserver;
beforeAll(async () => {
  clock = manualClock();
  homeserver = await startHomeserver({
    clock,
    config: {
      listeners: [{ ...localListener, trustsProxy: true }],
      rateLimits: {
        ...unlimited,
        loginFailures: { perSecond: 0.5, burstCount: 2 },
        loginFailuresAnywhere: { perSecond: 0.5, burstCount: 4 },
      },
    },
  });
  await makeOwner(owner);
});
afterEach(() => clock.advance(hour));
afterAll(() => homeserver.remove());

async function makeOwner(userId: string): Promise<string> {
  await homeserver.as('admin').put(`/_service/admin/v2/users/${userId}`, { password: right });
  return userId;
}

/** Sends a request as a proxy would for a client at an address. */
const from = async (address: string, path: string, body: unknown, token?: string): Promise<Reply> => {
  const response = await fetch(homeserver.url + path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-forwarded-for': address,
      ...(token && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: await response.json(), headers: response.headers };
};
const logIn = (address: string, password: string, user = owner) =>
  from(address, '/_chat/client/v3/login', { type: 'm.login.password', user, password });
const guess = async (address: string, times: number, user = owner) => {
  const replies = await Promise.all(
    Array.from({ length: times }, (_, index) => logIn(address, `${index}`, user)),
  );
  return replies.map(({ status }) => status).sort();
};
const attacker = (number: number) => `203.0.113.${number}`;

test('wrong passwords from elsewhere are limited, and the owner can log in', async () => {
  expect(await guess(attacker(1), 4)).toEqual([403, 403, 429, 429]);
  expect((await logIn(attacker(1), right)).status).toBe(429);
  expect((await logIn(home, right)).status).toBe(200);
});

test('many networks together have a few more guesses than one', async () => {
  const statuses = await Promise.all([1, 2, 3].map((number) => guess(attacker(number), 2)));
  expect(statuses.flat().filter((status) => status === 403)).toHaveLength(4);
  expect(await logIn(attacker(7), right)).toMatchObject({
    status: 429,
    body: { errcode: 'M_LIMIT_EXCEEDED', retry_after_ms: 2000 },
  });
  clock.advance(2000);
  expect((await logIn(attacker(7), right)).status).toBe(200);
});

test('if the owner was seen before, many other networks lock no one out, and their guesses are limited', async () => {
  const seen = await makeOwner('@seen:localhost');
  const { body } = await logIn(home, right, seen);
  const whoAmI = await fetch(`${homeserver.url}/_matrix/client/v3/account/whoami`, {
    headers: { authorization: `Bearer ${body.access_token}`, 'x-forwarded-for': home },
  });
  expect(whoAmI.status).toBe(200);
  for (const number of [1, 2]) await guess(attacker(number), 2, seen);
  expect((await logIn(attacker(6), right, seen)).status).toBe(429);
  expect((await logIn(home, right, seen)).status).toBe(200);
  expect(await guess(home, 4, seen)).toEqual([403, 403, 429, 429]);
});

test('correct passwords use up no guesses', async () => {
  for (let index = 0; index < 5; index++) expect((await logIn(attacker(index), right)).status).toBe(200);
});

test('a signed-in user can confirm with the password despite guesses elsewhere', async () => {
  const user = await makeOwner('@signed-in:localhost');
  const { body } = await logIn(home, right, user);
  for (const number of [1, 2]) await guess(attacker(number), 2, user);
  const confirm = (address: string, password: string) =>
    from(
      address,
      '/_chat/client/v3/account/password',
      { new_password: right, auth: { type: 'm.login.password', user, password } },
      body.access_token,
    );
  // A stolen token has the same number of guesses from many networks as from one.
  expect((await confirm(attacker(1), 'guess')).status).toBe(401);
  expect((await confirm(home, right)).status).toBe(200);
  expect((await confirm(attacker(3), 'guess')).status).toBe(401);
  expect((await confirm(attacker(4), 'guess')).status).toBe(429);
});

test.runIf(inject('postgres'))('a failing database allows no guess', async () => {
  const { database } = homeserver.config;
  await queryDatabase(database, 'alter table token_buckets rename to gone');
  try {
    for (const password of ['guess', right]) {
      expect((await logIn(home, password)).status).toBeGreaterThanOrEqual(500);
    }
  } finally {
    await queryDatabase(database, 'alter table gone rename to token_buckets');
  }
  expect((await logIn(home, right)).status).toBe(200);
});

describe('addresses', () => {
  const perNetwork = async (addresses: string[]) => {
    const strict = await startHomeserver({
      clock,
      config: {
        listeners: [{ ...localListener, trustsProxy: true }],
        rateLimits: { ...unlimited, registration: { perSecond: 0.001, burstCount: 1 } },
      },
    });
    const path = '/_matrix/client/v1/register/m.login.registration_token/validity?token=x';
    const statuses: number[] = [];
    for (const address of addresses) {
      statuses.push((await fetch(strict.url + path, { headers: { 'x-forwarded-for': address } })).status);
    }
    await strict.remove();
    return statuses;
  };

  test('of one /64 are one, in any notation', async () => {
    const addresses = [
      ...['2001:db8:1:2::1', '2001:db8:1:2:ffff::1', '2001:0DB8:0001:0002::3', '2001:db8:1:2::1%eth0'],
      ...['2001:db8:1:3::1', '2001:db8:1:3::2'],
    ];
    expect(await perNetwork(addresses)).toEqual([200, 429, 429, 429, 200, 429]);
  });

  test('of IPv4 are one each, IPv6-mapped or not', async () => {
    const addresses = ['203.0.113.1', '::ffff:203.0.113.1', '::ffff:cb00:7101', '::ffff:203.0.113.2'];
    expect(await perNetwork(addresses)).toEqual([200, 429, 429, 200]);
  });

  test('that are invalid count as they are', async () => {
    expect(await perNetwork(['unknown', 'unknown', '203.0.113.9'])).toEqual([200, 429, 200]);
  });
});
