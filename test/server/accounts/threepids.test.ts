/** Email addresses and telephone numbers, which administrators keep: nobody gives any themselves. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { path } from '../rooms/client.ts';

let homeserver: TestHomeserver;
beforeAll(async () => {
  homeserver = await startHomeserver();
});
afterAll(() => homeserver.remove());

test.each([
  ['/account/3pid', 'alice', 'M_THREEPID_AUTH_FAILED', 400],
  ['/account/3pid/add', 'alice', 'M_THREEPID_AUTH_FAILED', 400],
  ['/account/3pid/bind', 'alice', 'M_UNKNOWN', 400],
  ['/account/3pid/delete', 'alice', 'M_FORBIDDEN', 403],
  ['/account/3pid/email/requestToken', 'guest', 'M_THREEPID_MEDIUM_NOT_SUPPORTED', 400],
  ['/account/password/email/requestToken', 'guest', 'M_UNKNOWN', 400],
  ['/register/msisdn/requestToken', 'guest', 'M_UNKNOWN', 400],
])('an address can’t be given to %s', async (at, who, errcode, status) => {
  expect(await homeserver.as(who).post(`/_chat/client/v3${at}`, {})).toMatchObject({
    status,
    body: { errcode },
  });
});

test('addresses are listed, and nothing is bound anywhere', async () => {
  expect((await homeserver.as('alice').get(path('account', '3pid'))).body).toEqual({ threepids: [] });
  expect((await homeserver.as('alice').post(path('account', '3pid', 'unbind'), {})).body).toEqual({
    id_server_unbind_result: 'no-support',
  });
});
