/** Email addresses and phone numbers: admins add them, and their owners may remove them. */
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

test.each([
  ['/account/3pid', 'alice', 'M_THREEPID_AUTH_FAILED', 400],
  ['/account/3pid/add', 'alice', 'M_THREEPID_AUTH_FAILED', 400],
  ['/account/3pid/bind', 'alice', 'M_UNKNOWN', 400],
  ['/account/3pid/delete', 'alice', 'M_MISSING_PARAM', 400],
  ['/account/3pid/unbind', 'alice', 'M_MISSING_PARAM', 400],
  ['/account/3pid/email/requestToken', 'guest', 'M_THREEPID_MEDIUM_NOT_SUPPORTED', 400],
  ['/account/password/email/requestToken', 'guest', 'M_UNKNOWN', 400],
  ['/register/msisdn/requestToken', 'guest', 'M_UNKNOWN', 400],
])('an address can’t be given to %s', async (at, who, errcode, status) => {
  expect(await homeserver.as(who).post(`/_chat/client/v3${at}`, {})).toMatchObject({
    status,
    body: { errcode },
  });
});

test('addresses are listed, and nothing is bound to an identity server', async () => {
  const dave = await homeserver.add('dave');
  expect((await dave.get(path('account', '3pid'))).body).toEqual({ threepids: [] });
  const anything = { medium: 'email', address: 'dave@example.org' };
  expect((await dave.post(path('account', '3pid', 'unbind'), anything)).body).toEqual({
    id_server_unbind_result: 'no-support',
  });
});

test('an address keeps its time when the list is replaced, and moves to the user who gets it last', async () => {
  const put = (who: string, ...addresses: string[]) =>
    homeserver.as('admin').put(`/_service/admin/v2/users/@${who}:localhost`, {
      threepids: addresses.map((address) => ({ medium: 'email', address })),
    });
  const listed = async (who: string) =>
    (await homeserver.as(who).get(path('account', '3pid'))).body.threepids;
  const added = clock.now();
  await put('alice', 'one@example.org', 'two@example.org');
  clock.advance(1000);
  await put('alice', 'ONE@example.org', 'three@example.org');
  expect(await listed('alice')).toMatchObject([
    { address: 'one@example.org', added_at: added },
    { address: 'three@example.org', added_at: added + 1000 },
  ]);
  await put('bob', 'three@example.org');
  expect(await listed('alice')).toMatchObject([{ address: 'one@example.org' }]);
  expect(await listed('bob')).toMatchObject([{ address: 'three@example.org', added_at: added + 1000 }]);
});

test('only the owner of an address can remove it', async () => {
  const carol = homeserver.as('carol');
  const address = { medium: 'email', address: 'alice@example.org' };
  const phone = { medium: 'msisdn', address: '447700900001' };
  await homeserver
    .as('admin')
    .put(`/_service/admin/v2/users/${carol.userId}`, { threepids: [address, phone] });
  const listed = async () => (await carol.get(path('account', '3pid'))).body.threepids;
  const remove = (who: string, what: object) =>
    homeserver.as(who).post(path('account', '3pid', 'delete'), what);

  const done = { status: 200, body: { id_server_unbind_result: 'no-support' } };
  expect(await remove('bob', address)).toMatchObject(done);
  expect(await listed()).toMatchObject([address, phone]);
  expect(await remove('carol', { medium: 'email', address: 'Alice@Example.org' })).toMatchObject(done);
  expect(await listed()).toMatchObject([phone]);
  expect(await remove('carol', address)).toMatchObject(done);
  expect(await remove('carol', { medium: 'fax', address: '1' })).toMatchObject({ status: 400 });
  expect((await carol.get(path('capabilities'))).body.capabilities['m.3pid_changes']).toEqual({
    enabled: true,
  });
});
