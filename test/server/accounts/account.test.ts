import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { newcomer } from './newcomer.ts';

const password = 'correct horse';
let homeserver: TestHomeserver;

beforeAll(async () => {
  homeserver = await startHomeserver();
});
afterAll(() => homeserver.remove());

const logIn = (body: unknown) => homeserver.as('guest').post('/_chat/client/v3/login', body);

/** Creates a user for one test. */
const newPerson = () => newcomer(homeserver, `person-${people++}`);
let people = 0;

describe('user-interactive authentication', () => {
  const change = { new_password: 'new' };

  test('lists the stage, takes the password, and does the request once', async () => {
    const person = await newPerson();
    const asked = await person.post('/v3/account/password', change);
    expect(asked).toMatchObject({
      status: 401,
      body: { session: expect.any(String), flows: [{ stages: ['m.login.password'] }], params: {} },
    });
    const body = { ...change, auth: person.auth(asked.body.session) };
    expect(await person.post('/v3/account/password', body)).toMatchObject({ status: 200, body: {} });
    expect(await person.post('/v3/account/password', body)).toMatchObject({
      status: 400,
      body: { errcode: 'M_UNKNOWN' },
    });
  });

  test('keeps its session for a failed request until one succeeds', async () => {
    const { interactiveSessions } = homeserver.services;
    const operation = 'POST /test';
    const stages = new Map([['m.login.dummy', async () => {}]] as const);
    const send = (carryOut: () => Promise<string>, session?: string) =>
      interactiveSessions.authenticate(
        { auth: { type: 'm.login.dummy', session }, operation, stages },
        carryOut,
      );
    const { body: asked } = await interactiveSessions
      .authenticate({ auth: undefined, operation, stages }, async () => expect.unreachable())
      .catch((error) => error);
    const failing = () => Promise.reject(new Error('The database is away.'));
    await expect(send(failing, asked.session)).rejects.toThrow('The database is away.');
    expect(await send(async () => 'done', asked.session)).toBe('done');
    await expect(send(async () => 'again', asked.session)).rejects.toThrow('Unknown session ID');
  });

  type Auth = (person: Awaited<ReturnType<typeof newPerson>>, session: string) => unknown;
  test.each<[string, Auth, number, string]>([
    ['a wrong password', ({ auth }, session) => auth(session, 'wrong'), 401, 'M_FORBIDDEN'],
    [
      'no password',
      (_, session) => ({ type: 'm.login.password', user: 'x', session }),
      400,
      'M_INVALID_PARAM',
    ],
    ['no user', (_, session) => ({ type: 'm.login.password', password, session }), 400, 'M_INVALID_PARAM'],
    [
      "another user's password",
      (_, session) => ({ type: 'm.login.password', user: 'person-0', password: 'new', session }),
      403,
      'M_FORBIDDEN',
    ],
    ['an unknown session', ({ auth }) => auth('nonsense'), 400, 'M_UNKNOWN'],
    ['invalid authentication', () => 'please', 400, 'M_BAD_JSON'],
  ])('refuses %s', async (_, auth, status, errcode) => {
    const person = await newPerson();
    const { session } = (await person.post('/v3/account/password', change)).body;
    const reply = await person.post('/v3/account/password', { ...change, auth: auth(person, session) });
    expect(reply).toMatchObject({ status, body: { errcode } });
  });

  test.each<[string, (session: string) => object]>([
    ['no authentication', () => ({})],
    ['another stage', (session) => ({ auth: { type: 'm.login.dummy', session } })],
    ['no stage', (session) => ({ auth: { session } })],
  ])('asks for the stage without an error if the request has %s', async (_, more) => {
    const person = await newPerson();
    const { session } = (await person.post('/v3/account/password', change)).body;
    const { status, body } = await person.post('/v3/account/password', { ...change, ...more(session) });
    expect(status).toBe(401);
    expect(body).toEqual({
      session: expect.any(String),
      flows: [{ stages: ['m.login.password'] }],
      params: {},
    });
  });

  test.each([{}, { new_password: null }])(
    'may begin with %j, with the new password sent along with the old one',
    async (begin) => {
      const person = await newPerson();
      const asked = await person.post('/v3/account/password', begin);
      expect(asked).toMatchObject({ status: 401, body: { flows: [{ stages: ['m.login.password'] }] } });
      const auth = person.auth(asked.body.session);
      expect(await person.post('/v3/account/password', { auth })).toMatchObject({
        status: 400,
        body: { errcode: 'M_MISSING_PARAM' },
      });
      expect(
        await person.post('/v3/account/password', { ...change, auth: { session: auth.session } }),
      ).toMatchObject({
        status: 401,
      });
      expect((await person.post('/v3/account/password', { ...change, auth })).status).toBe(200);
      const again = { type: 'm.login.password', user: person.localpart, password: change.new_password };
      expect((await logIn(again)).status).toBe(200);
    },
  );

  test('is bound to the request and the user', async () => {
    const [person, other] = [await newPerson(), await newPerson()];
    const { session } = (await person.post('/v3/account/password', change)).body;
    const changed = { status: 403, body: { errcode: 'M_UNKNOWN' } };
    const auth = person.auth(session);
    expect(await person.post('/v3/account/password', { new_password: 'x', auth })).toMatchObject(changed);
    expect(await person.post('/v3/account/deactivate', { auth })).toMatchObject(changed);
    expect(await other.post('/v3/account/password', { ...change, auth: other.auth(session) })).toMatchObject(
      changed,
    );
  });
});

describe('a new password', () => {
  test('ends every other session', async () => {
    const person = await newPerson();
    const other = await person.session();
    const reply = await person.post('/v3/account/password', { new_password: 'new', auth: person.auth() });
    expect(reply.status).toBe(200);
    expect((await person.get('/v3/account/whoami')).status).toBe(200);
    expect((await other.get('/v3/account/whoami')).status).toBe(401);
    expect((await logIn({ type: 'm.login.password', user: person.localpart, password })).status).toBe(403);
    const again = { type: 'm.login.password', user: person.localpart, password: 'new' };
    expect((await logIn(again)).status).toBe(200);
  });

  test('ends no session if that is requested', async () => {
    const person = await newPerson();
    const other = await person.session();
    const body = { new_password: 'new', logout_devices: false, auth: person.auth() };
    expect((await person.post('/v3/account/password', body)).status).toBe(200);
    expect((await other.get('/v3/account/whoami')).status).toBe(200);
  });

  test.each<[string, unknown, string]>([
    ['none', { auth: {} }, 'M_MISSING_PARAM'],
    ['an empty one', { new_password: '' }, 'M_BAD_JSON'],
    ['a number', { new_password: 5 }, 'M_BAD_JSON'],
    ['one that is too long', { new_password: 'x'.repeat(513) }, 'M_BAD_JSON'],
  ])("isn't %s", async (_, body, errcode) => {
    const reply = await homeserver.as('alice').post('/_chat/client/v3/account/password', body);
    expect(reply).toMatchObject({ status: 400, body: { errcode } });
  });
});

test('an account is deactivated with its password', async () => {
  const person = await newPerson();
  expect(await person.post('/v3/account/deactivate')).toMatchObject({ status: 401 });
  expect((await person.post('/v3/account/deactivate', { erase: 'x' })).status).toBe(400);
  const reply = await person.post('/v3/account/deactivate', { erase: true, auth: person.auth() });
  expect(reply).toMatchObject({ status: 200, body: { id_server_unbind_result: 'success' } });
  expect((await person.get('/v3/account/whoami')).status).toBe(401);
  const detail = await homeserver.as('admin').get(`/_service/admin/v2/users/${person.userId}`);
  expect(detail.body).toMatchObject({ deactivated: true, erased: true, displayname: null });
});

test('a token has a user and a device', async () => {
  const person = await newPerson();
  expect(await person.get('/v3/account/whoami')).toMatchObject({
    status: 200,
    body: { user_id: person.userId, device_id: person.deviceId, is_guest: false },
  });
});
