import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { manualClock } from '../../manual-clock.ts';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';

const clock = manualClock();
const day = 86_400_000;
let homeserver: TestHomeserver;

beforeAll(async () => {
  homeserver = await startHomeserver({
    clock,
    config: { registration: { enabled: true, requiresToken: true, sharedSecret: undefined } },
  });
});
afterAll(() => homeserver.remove());

const base = '/_service/admin/v1/registration_tokens';
const make = (body: unknown) => homeserver.as('admin').post(`${base}/new`, body);
const read = (token: string) => homeserver.as('admin').get(`${base}/${token}`);
const register = (body: unknown) => homeserver.as('guest').post('/_chat/client/v3/register', body);
const validity = async (token: string) =>
  (
    await homeserver
      .as('guest')
      .get(`/_chat/client/v1/register/m.login.registration_token/validity?token=${token}`)
  ).body;

describe.each([
  ['vendor', '/_service/admin'],
  ['matrix', '/_synapse/admin'],
])('in the %s dialect', (_, administration) => {
  const at = `${administration}/v1/registration_tokens`;

  test.each<[string, string, 'get' | 'put' | 'post' | 'delete', string, unknown, number, string]>([
    ['the list anonymously', 'guest', 'get', '', undefined, 401, 'M_MISSING_TOKEN'],
    ['the list to a user', 'alice', 'get', '', undefined, 403, 'M_FORBIDDEN'],
    ['valid as text', 'admin', 'get', '?valid=perhaps', undefined, 400, 'M_INVALID_PARAM'],
    ['making one by a user', 'alice', 'post', '/new', {}, 403, 'M_FORBIDDEN'],
    ['an empty token', 'admin', 'post', '/new', { token: '' }, 400, 'M_INVALID_PARAM'],
    ['a token with a space', 'admin', 'post', '/new', { token: 'a b' }, 400, 'M_INVALID_PARAM'],
    ['a long token', 'admin', 'post', '/new', { token: 'x'.repeat(65) }, 400, 'M_INVALID_PARAM'],
    ['a number for a token', 'admin', 'post', '/new', { token: 5 }, 400, 'M_BAD_JSON'],
    ['no length', 'admin', 'post', '/new', { length: 0 }, 400, 'M_INVALID_PARAM'],
    ['too much length', 'admin', 'post', '/new', { length: 65 }, 400, 'M_INVALID_PARAM'],
    ['a negative number of uses', 'admin', 'post', '/new', { uses_allowed: -1 }, 400, 'M_BAD_JSON'],
    ['half a use', 'admin', 'post', '/new', { uses_allowed: 1.5 }, 400, 'M_BAD_JSON'],
    ['uses beyond all numbers', 'admin', 'post', '/new', { uses_allowed: 1e30 }, 400, 'M_BAD_JSON'],
    ['the past', 'admin', 'post', '/new', { expiry_time: 1 }, 400, 'M_INVALID_PARAM'],
    ['a time as text', 'admin', 'post', '/new', { expiry_time: 'soon' }, 400, 'M_BAD_JSON'],
    ['a list', 'admin', 'post', '/new', [], 400, 'M_BAD_JSON'],
    ['reading a missing one', 'admin', 'get', '/none', undefined, 404, 'M_NOT_FOUND'],
    ['changing a missing one', 'admin', 'put', '/none', {}, 404, 'M_NOT_FOUND'],
    ['deleting a missing one', 'admin', 'delete', '/none', undefined, 404, 'M_NOT_FOUND'],
    ['deleting by a user', 'alice', 'delete', '/none', undefined, 403, 'M_FORBIDDEN'],
  ])('refuses %s', async (_, caller, method, path, body, status, errcode) => {
    const reply = await homeserver.as(caller)[method](at + path, body);
    expect(reply).toMatchObject({ status, body: { errcode, error: expect.any(String) } });
  });

  test('creates, lists, reads, changes and deletes a token', async () => {
    const as = homeserver.as('admin');
    const made = await as.post(`${at}/new`, { uses_allowed: 3, expiry_time: clock.now() + day });
    const { token } = made.body;
    expect(made.body).toEqual({
      token: expect.stringMatching(/^[A-Za-z0-9._~-]{16}$/),
      uses_allowed: 3,
      pending: 0,
      completed: 0,
      expiry_time: clock.now() + day,
    });
    expect((await as.get(`${at}/${token}`)).body).toEqual(made.body);
    expect((await as.get(at)).body.registration_tokens).toContainEqual(made.body);
    expect(await as.post(`${at}/new`, { token })).toMatchObject({
      status: 400,
      body: { errcode: 'M_INVALID_PARAM' },
    });
    expect((await as.put(`${at}/${token}`, { uses_allowed: null })).body).toEqual({
      ...made.body,
      uses_allowed: null,
    });
    expect((await as.put(`${at}/${token}`, { expiry_time: null })).body).toMatchObject({
      uses_allowed: null,
      expiry_time: null,
    });
    expect((await as.delete(`${at}/${token}`)).body).toEqual({});
    expect((await as.get(`${at}/${token}`)).status).toBe(404);
  });
});

test('a token has up to 64 characters', async () => {
  expect((await make({ length: 64 })).body.token).toHaveLength(64);
  expect((await make({ token: 'x'.repeat(64) })).status).toBe(200);
});

describe('registering with a token', () => {
  const password = 'secret';
  const tokenStage = (token: unknown, session?: string) => ({
    type: 'm.login.registration_token',
    token,
    session,
  });
  const dummyStage = (session: string) => ({ type: 'm.login.dummy', session });
  const flows = [{ stages: ['m.login.registration_token', 'm.login.dummy'] }];

  test('requires it and counts it as pending, then as completed', async () => {
    await make({ token: 'twice', uses_allowed: 2 });
    expect(await register({ username: 'one', password })).toMatchObject({ status: 401, body: { flows } });
    const asked = await register({ username: 'one', password, auth: tokenStage('twice') });
    expect(asked).toMatchObject({
      status: 401,
      body: { flows, completed: ['m.login.registration_token'] },
    });
    expect((await read('twice')).body).toMatchObject({ pending: 1, completed: 0 });
    const made = await register({ username: 'one', password, auth: dummyStage(asked.body.session) });
    expect(made).toMatchObject({ status: 200, body: { user_id: '@one:localhost' } });
    expect((await read('twice')).body).toMatchObject({ pending: 0, completed: 1 });
    // The UIA session works only once.
    const again = await register({ username: 'two', password, auth: dummyStage(asked.body.session) });
    expect(again).toMatchObject({ status: 400, body: { errcode: 'M_UNKNOWN' } });
  });

  test('continues after a taken name, and refuses a used-up token', async () => {
    await make({ token: 'once', uses_allowed: 1 });
    const { session } = (await register({ username: 'three', password, auth: tokenStage('once') })).body;
    expect(await register({ username: 'alice', password, auth: dummyStage(session) })).toMatchObject({
      status: 400,
      body: { errcode: 'M_USER_IN_USE' },
    });
    expect((await read('once')).body).toMatchObject({ pending: 1 });
    expect((await register({ username: 'three', password, auth: dummyStage(session) })).status).toBe(200);
    expect((await read('once')).body).toMatchObject({ pending: 0, completed: 1 });
    expect(await register({ username: 'four', password, auth: tokenStage('once') })).toMatchObject({
      status: 401,
      body: { errcode: 'M_UNAUTHORIZED', flows, completed: [] },
    });
  });

  test.each<[string, unknown, string]>([
    ['a missing one', 'nonsense', 'M_UNAUTHORIZED'],
    ['none', undefined, 'M_MISSING_PARAM'],
  ])('refuses %s', async (_, token, errcode) => {
    const reply = await register({ username: 'four', password, auth: tokenStage(token) });
    expect(reply).toMatchObject({ status: 401, body: { errcode, flows, completed: [] } });
  });

  test('needs the token stage, even if other stages are passed', async () => {
    const { session } = (await register({ username: 'four', password })).body;
    const reply = await register({ username: 'four', password, auth: dummyStage(session) });
    expect(reply).toMatchObject({ status: 401, body: { completed: ['m.login.dummy'] } });
    expect(await register({ username: 'four', password, auth: { session } })).toMatchObject({ status: 401 });
  });

  test('gives the last use to one of many concurrent registrations', async () => {
    await make({ token: 'last', uses_allowed: 1 });
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        register({ username: `race${index}`, password, auth: tokenStage('last') }),
      ),
    );
    const passed = replies.filter(({ body }) => body.completed.length === 1);
    expect(passed).toHaveLength(1);
    const { session } = passed[0]?.body ?? {};
    const made = await Promise.all(
      Array.from({ length: 5 }, (_, index) =>
        register({ username: `racer${index}`, password, auth: dummyStage(session) }),
      ),
    );
    expect(made.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await read('last')).body).toMatchObject({ pending: 0, completed: 1 });
  });

  test('ends with the token', async () => {
    await make({ token: 'short', expiry_time: clock.now() + 1000, uses_allowed: 5 });
    expect(await validity('short')).toEqual({ valid: true });
    clock.advance(1000);
    expect(await validity('short')).toEqual({ valid: false });
    expect((await register({ username: 'late', password, auth: tokenStage('short') })).status).toBe(401);
  });

  test('is useless after the token is deleted, even if stages were passed', async () => {
    await make({ token: 'gone', uses_allowed: 5 });
    const begun = await register({ username: 'gone', password, auth: tokenStage('gone') });
    await homeserver.as('admin').delete(`${base}/gone`);
    const reply = await register({ username: 'gone', password, auth: dummyStage(begun.body.session) });
    expect(reply).toMatchObject({ status: 403, body: { errcode: 'M_FORBIDDEN' } });
    const path = '/_service/admin/v1/username_available?username=gone';
    expect((await homeserver.as('admin').get(path)).body).toEqual({ available: true });
  });

  test('drops sessions started two days ago', async () => {
    await make({ token: 'slow', uses_allowed: 1 });
    await register({ username: 'slow', password, auth: tokenStage('slow') });
    expect(await validity('slow')).toEqual({ valid: false });
    clock.advance(2 * day);
    expect((await read('slow')).body).toMatchObject({ pending: 0 });
    expect(await validity('slow')).toEqual({ valid: true });
  });

  test('lists which tokens are valid', async () => {
    const tokens = async (valid: boolean) =>
      (await homeserver.as('admin').get(`${base}?valid=${valid}`)).body.registration_tokens.map(
        ({ token }: { token: string }) => token,
      );
    await make({ token: 'listed' });
    await make({ token: 'unusable', uses_allowed: 0 });
    await make({ token: 'taken', uses_allowed: 1 });
    await register({ username: 'taker', password, auth: tokenStage('taken') });
    await make({ token: 'expired', expiry_time: clock.now() + 1 });
    clock.advance(1);
    const invalid = ['unusable', 'taken', 'expired'];
    expect(await tokens(false)).toEqual(expect.arrayContaining(invalid));
    expect(await tokens(false)).not.toContain('listed');
    expect(await tokens(true)).toContain('listed');
    for (const token of invalid) expect(await tokens(true)).not.toContain(token);
  });
});

test('anyone can check if a token is valid', async () => {
  for (const chat of ['/_chat', '/_matrix']) {
    const path = `${chat}/client/v1/register/m.login.registration_token/validity`;
    expect(await homeserver.as('guest').get(`${path}?token=none`)).toMatchObject({
      status: 200,
      body: { valid: false },
    });
    expect(await homeserver.as('guest').get(path)).toMatchObject({
      status: 400,
      body: { errcode: 'M_MISSING_PARAM' },
    });
  }
});
