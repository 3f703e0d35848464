/** Password checks are slow on purpose but don't delay other requests. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { passwordCost } from '../../../server/identity/accounts/passwords.ts';
import { realPasswordCost } from '../cheap-passwords.ts';
import { call, localListener, startHomeserver, type TestHomeserver } from '../homeserver.ts';

let homeserver: TestHomeserver;
beforeAll(async () => {
  // Slow enough for the other requests to finish in the meantime.
  Object.assign(passwordCost, { ...realPasswordCost, N: realPasswordCost.N / 4 });
  homeserver = await startHomeserver({
    config: {
      listeners: [{ ...localListener, trustsProxy: true }],
      registration: { enabled: true, requiresToken: false, sharedSecret: undefined },
    },
  });
});
afterAll(() => homeserver.remove());

/** Sends a request as a proxy would for a client at an address. */
async function post(path: string, body: object, address: string): Promise<number> {
  const response = await fetch(`${homeserver.url}/_chat/client/v3/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
    body: JSON.stringify(body),
  });
  await response.arrayBuffer();
  return response.status;
}

const logIn = (user: string, address: string) =>
  post('login', { type: 'm.login.password', user, password: 'a guess' }, address);

const register = (username: string, address: string) =>
  post('register', { username, password: 'a password', auth: { type: 'm.login.dummy' } }, address);

async function setPassword(administrator: string, localpart: string): Promise<number> {
  const path = `/_service/admin/v2/users/@${localpart}:localhost`;
  return (await homeserver.as(administrator).put(path, { password: 'a password' })).status;
}

/** Sends many requests at once. */
function flood(send: (number: number) => Promise<number>) {
  let answered = 0;
  const replies = Array.from({ length: 16 }, async (_, number) => {
    const status = await send(number);
    answered++;
    return status;
  });
  return {
    answered: () => answered,
    first: () => Promise.race(replies),
    statuses: async () => [...new Set(await Promise.all(replies))],
  };
}

test('files are written and read during many logins', async () => {
  const logins = flood((number) => logIn(`somebody-${number}`, '203.0.113.1'));
  // File access uses the same thread pool as password hashing.
  const { accessToken } = homeserver.as('alice');
  const upload = await call(homeserver.url, 'POST', '/_chat/media/v3/upload', accessToken, 'some text');
  expect(upload.status).toBe(200);
  expect(logins.answered()).toBeLessThan(8);
  expect(await logins.statuses()).toEqual([403]);
});

const manyGuesses = () => flood((number) => logIn(`anybody-${number}`, '203.0.113.2'));
let names = 0;
const manyMade = () => flood(() => setPassword('admin', `made-${names++}`));
const manyRegister = () => flood(() => register(`new-${names++}`, '203.0.113.3'));

test.each([
  ['who logs in', 'a network that tries many', manyGuesses, [403], () => logIn('alice', '198.51.100.7'), 403],
  [
    'who logs in',
    'an administrator who makes many',
    manyMade,
    [201],
    () => logIn('alice', '198.51.100.8'),
    403,
  ],
  [
    'who logs in',
    'those who register beside them',
    manyRegister,
    [200],
    () => logIn('alice', '203.0.113.3'),
    403,
  ],
  [
    'who registers',
    'an administrator who makes many',
    manyMade,
    [201],
    () => register('late', '198.51.100.9'),
    200,
  ],
  ['an administrator', 'another who makes many', manyMade, [201], () => setPassword('carol', 'bob'), 200],
] as const)('%s waits for no more than one of %s', async (_, _others, many, expected, send, status) => {
  await homeserver.as('admin').put('/_service/admin/v2/users/@carol:localhost', { admin: true });
  const others = many();
  await others.first();
  expect(await send()).toBe(status);
  expect(others.answered()).toBeLessThan(8);
  expect(await others.statuses()).toEqual(expected);
});
