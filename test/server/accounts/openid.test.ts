/** OpenID tokens, which prove a user's identity to third parties. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { manualClock } from '../../manual-clock.ts';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { path } from '../rooms/client.ts';

const clock = manualClock();
let homeserver: TestHomeserver;
beforeAll(async () => {
  homeserver = await startHomeserver({ clock });
});
afterAll(() => homeserver.remove());

const request = (who: string, userId: string) =>
  homeserver.as(who).post(path('user', userId, 'openid', 'request_token'), {});
const userOf = (token?: string) =>
  homeserver
    .as('guest')
    .get(`/_chat/federation/v1/openid/userinfo${token === undefined ? '' : `?access_token=${token}`}`);

test('an OpenID token identifies its user for an hour and nothing else', async () => {
  const { status, body } = await request('alice', '@alice:localhost');
  expect({ status, body }).toMatchObject({
    status: 200,
    body: { token_type: 'Bearer', matrix_server_name: 'localhost', expires_in: 3600 },
  });
  expect(await userOf(body.access_token)).toMatchObject({ status: 200, body: { sub: '@alice:localhost' } });
  const asToken = await fetch(`${homeserver.url}/_matrix/client/v3/account/whoami`, {
    headers: { authorization: `Bearer ${body.access_token}` },
  });
  expect(asToken.status).toBe(401);
  clock.advance(3_600_000);
  expect(await userOf(body.access_token)).toMatchObject({
    status: 401,
    body: { errcode: 'M_UNKNOWN_TOKEN' },
  });
});

test('only the user can get one, and nothing is learned without one', async () => {
  expect(await request('bob', '@alice:localhost')).toMatchObject({ status: 403 });
  expect(await userOf('nonsense')).toMatchObject({ status: 401, body: { errcode: 'M_UNKNOWN_TOKEN' } });
  expect(await userOf()).toMatchObject({ status: 401, body: { errcode: 'M_MISSING_TOKEN' } });
});
