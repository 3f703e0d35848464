/** Locking and suspending through a chat client. Matrix specification 1.18, "Server administration". */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';

let homeserver: TestHomeserver;
beforeAll(async () => {
  homeserver = await startHomeserver();
  const account = { password: 'x', deactivated: true };
  expect((await as('admin').put('/_service/admin/v2/users/@gone:localhost', account)).status).toBe(201);
  expect((await as('admin').put('/_service/admin/v2/users/@deputy:localhost', { admin: true })).status).toBe(
    201,
  );
});
afterAll(() => homeserver.remove());

const as = (who: string) => homeserver.as(who);

describe.each([
  ['lock', 'locked', '/_chat'],
  ['suspend', 'suspended', '/_matrix'],
])('%s', (action, property, chat) => {
  const at = (userId: string) => `${chat}/client/v1/admin/${action}/${encodeURIComponent(userId)}`;
  const yes = { [property]: true };

  test.each<[string, string, string, unknown, number, string]>([
    ['an anonymous caller', 'guest', '@bob:localhost', yes, 401, 'M_MISSING_TOKEN'],
    ['a user', 'alice', '@bob:localhost', yes, 403, 'M_FORBIDDEN'],
    ['a user of no server', 'alice', '@nobody:localhost', yes, 403, 'M_FORBIDDEN'],
    ['a stranger', 'admin', '@bob:example.org', yes, 400, 'M_INVALID_PARAM'],
    ['no identifier', 'admin', 'bob', yes, 400, 'M_INVALID_PARAM'],
    ['an unknown user', 'admin', '@nobody:localhost', yes, 404, 'M_NOT_FOUND'],
    ['a deactivated user', 'admin', '@gone:localhost', yes, 404, 'M_NOT_FOUND'],
    ['another administrator', 'admin', '@deputy:localhost', yes, 403, 'M_FORBIDDEN'],
    ['oneself', 'admin', '@admin:localhost', yes, 403, 'M_FORBIDDEN'],
    ['perhaps', 'admin', '@bob:localhost', { [property]: 'x' }, 400, 'M_BAD_JSON'],
    ['or not', 'admin', '@bob:localhost', {}, 400, 'M_MISSING_PARAM'],
  ])('refuses %s', async (what, caller, userId, body, status, errcode) => {
    expect(await as(caller).put(at(userId), body)).toMatchObject({ status, body: { errcode } });
    if (status === 400 && userId === '@bob:localhost') return;
    const seen = await as(caller).get(at(userId));
    expect(seen).toMatchObject(what === 'oneself' ? { status: 200 } : { status, body: { errcode } });
  });

  test('is shown, applies, and ends', async () => {
    const target = at('@bob:localhost');
    const send = () => as('bob').get(`${chat}/client/v3/sync?timeout=0`);
    const write = () => as('bob').post(`${chat}/client/v3/createRoom`, {});
    expect(await as('admin').get(target)).toMatchObject({ status: 200, body: { [property]: false } });
    expect(await as('admin').put(target, yes)).toEqual(
      expect.objectContaining({ status: 200, body: { [property]: true } }),
    );
    expect((await as('admin').get(target)).body).toEqual({ [property]: true });
    const refused =
      action === 'lock'
        ? { status: 401, body: { errcode: 'M_USER_LOCKED', soft_logout: true } }
        : { status: 403, body: { errcode: 'M_USER_SUSPENDED' } };
    expect(await write()).toMatchObject(refused);
    expect((await send()).status).toBe(action === 'lock' ? 401 : 200);
    expect((await as('admin').put(target, { [property]: false })).status).toBe(200);
    expect((await write()).status).toBe(200);
  });
});

test('only admins see that they may', async () => {
  const capabilities = async (who: string) =>
    (await as(who).get('/_chat/client/v3/capabilities')).body.capabilities;
  expect((await capabilities('admin'))['m.account_moderation']).toEqual({ lock: true, suspend: true });
  expect(Object.keys(await capabilities('alice'))).not.toContain('m.account_moderation');
});
