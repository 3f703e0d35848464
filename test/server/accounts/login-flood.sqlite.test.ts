/** Checking a password takes long on purpose; whoever does something else does not wait for that. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { passwordCost } from '../../../server/accounts/passwords.ts';
import { realPasswordCost } from '../cheap-passwords.ts';
import { call, localListener, startHomeserver, type TestHomeserver } from '../homeserver.ts';

let homeserver: TestHomeserver;
beforeAll(async () => {
  Object.assign(passwordCost, realPasswordCost);
  homeserver = await startHomeserver({ config: { listeners: [{ ...localListener, trustsProxy: true }] } });
});
afterAll(() => homeserver.remove());

/** A guess that a proxy passes on for someone at an address. */
async function logIn(user: string, address = '203.0.113.1'): Promise<number> {
  const response = await fetch(`${homeserver.url}/_chat/client/v3/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
    body: JSON.stringify({ type: 'm.login.password', user, password: 'a guess' }),
  });
  await response.arrayBuffer();
  return response.status;
}

test('files are written and read while many log in', async () => {
  let answered = 0;
  const logins = Array.from({ length: 16 }, async (_, number) => {
    const status = await logIn(`somebody-${number}`);
    answered++;
    return status;
  });
  // Files need the same threads of the process as passwords do.
  const { accessToken } = homeserver.as('alice');
  const upload = await call(homeserver.url, 'POST', '/_chat/media/v3/upload', accessToken, 'some text');
  expect(upload.status).toBe(200);
  expect(answered).toBeLessThan(8);
  expect(new Set(await Promise.all(logins))).toEqual(new Set([403]));
});

test('who logs in waits for no more than one login of whoever tries many', async () => {
  let answered = 0;
  const guesses = Array.from({ length: 16 }, async (_, number) => {
    const status = await logIn(`anybody-${number}`);
    answered++;
    return status;
  });
  await Promise.race(guesses);
  expect(await logIn('alice', '198.51.100.7')).toBe(403);
  expect(answered).toBeLessThan(8);
  expect(new Set(await Promise.all(guesses))).toEqual(new Set([403]));
});

test('nor for accounts that an administrator makes', async () => {
  let made = 0;
  const accounts = Array.from({ length: 16 }, async (_, number) => {
    const path = `/_service/admin/v2/users/@made-${number}:localhost`;
    const { status } = await homeserver.as('admin').put(path, { password: 'a password' });
    made++;
    return status;
  });
  await Promise.race(accounts);
  expect(await logIn('alice', '198.51.100.8')).toBe(403);
  expect(made).toBeLessThan(8);
  expect(new Set(await Promise.all(accounts))).toEqual(new Set([201]));
});
