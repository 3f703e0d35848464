/** Checking a password takes long on purpose; whoever does something else does not wait for that. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { passwordCost } from '../../../server/accounts/passwords.ts';
import { realPasswordCost } from '../cheap-passwords.ts';
import { call, startHomeserver, type TestHomeserver } from '../homeserver.ts';

let homeserver: TestHomeserver;
beforeAll(async () => {
  Object.assign(passwordCost, realPasswordCost);
  homeserver = await startHomeserver();
});
afterAll(() => homeserver.remove());

const logIn = (user: string) =>
  homeserver
    .as('guest')
    .post('/_chat/client/v3/login', { type: 'm.login.password', user, password: 'a guess' });

test('files are written and read while many log in', async () => {
  let answered = 0;
  const logins = Array.from({ length: 16 }, async (_, number) => {
    const { status } = await logIn(`somebody-${number}`);
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
